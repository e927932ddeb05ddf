import { feeParts, type mapPaidAttributes, type PaidPartName, sumPaidParts } from './fee-parts.ts';

const WEI_PER_COIN = 10n ** 18n;

/** Formats wei as an exact decimal of the coin without trailing zeros: `1500000000000000000n` is `1.5`. */
export function coinAmount(wei: bigint): string {
  const fraction = (wei % WEI_PER_COIN).toString().padStart(18, '0').replace(/0+$/, '');
  const whole = (wei / WEI_PER_COIN).toString();
  return fraction ? `${whole}.${fraction}` : whole;
}

/** The parts of the fees that senders paid on a day, in wei, by the attributes of its item. */
type PaidFees = Readonly<ReturnType<typeof mapPaidAttributes<bigint>>>;

/** Returns what senders paid on all these days, as an exact decimal of the coin. */
export const paidAmount = (days: readonly PaidFees[]): string =>
  coinAmount(sumPaidParts((name) => sumPart(days, name)));

/** Returns one part of what senders paid on all these days, as an exact decimal of the coin. */
export const paidPartAmount = (days: readonly PaidFees[], name: PaidPartName): string =>
  coinAmount(sumPart(days, name));

const sumPart = (days: readonly PaidFees[], name: PaidPartName): bigint =>
  days.reduce((sum, day) => sum + day[feeParts[name].attribute], 0n);
