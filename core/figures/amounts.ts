import { exactDecimal } from './decimals.ts';
import { boundsOf } from './fee-buckets.ts';
import { feeParts, type PaidAttribute, type PaidPartName, sumPaidParts } from './fee-parts.ts';

/** Digits of wei after the point of a coin. */
const DECIMALS = 18;

/** Formats wei, 0 or more, as an exact decimal of the coin without trailing zeros: `1500000000000000000n` is `1.5`. */
export const coinAmount = (wei: bigint): string => exactDecimal(wei, DECIMALS);

/** The parts of the fees that senders paid on a day, in wei, by the attributes of its item. */
type PaidFees = Readonly<Record<PaidAttribute, bigint>>;

/** Returns what senders paid on all these days, as an exact decimal of the coin. */
export const paidAmount = (days: readonly PaidFees[]): string =>
  coinAmount(sumPaidParts((name) => sumPart(days, name)));

/** Returns one part of what senders paid on all these days, as an exact decimal of the coin. */
export const paidPartAmount = (days: readonly PaidFees[], name: PaidPartName): string =>
  coinAmount(sumPart(days, name));

/** Returns a sum of wei as an exact decimal of the coin, or undefined. */
export const knownAmount = (wei: bigint | undefined): string | undefined =>
  wei === undefined ? undefined : coinAmount(wei);

/** Caches the bounds, because a distribution has hundreds of buckets a day, and they are the same every day. */
const knownBounds: string[] = [];

function boundAmount(bucket: number): string {
  knownBounds[bucket] ??= coinAmount(boundsOf(bucket).from);
  return knownBounds[bucket];
}

/** Returns the bounds of a bucket as exact decimals of the coin: at least `from`, less than `to`. */
export const amountBounds = (bucket: number): { from: string; to: string } => ({
  from: boundAmount(bucket),
  to: boundAmount(bucket + 1),
});

const sumPart = (days: readonly PaidFees[], name: PaidPartName): bigint =>
  days.reduce((sum, day) => sum + day[feeParts[name].attribute], 0n);
