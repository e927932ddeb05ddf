import { coinAmount } from './coin-amount.ts';
import { feeParts, type mapPaidAttributes, type PaidPartName, sumPaidParts } from './fee-parts.ts';

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
