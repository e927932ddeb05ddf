/*
 * The buckets in which the fees of transactions are counted. All chains share them, so that counts add up. Below 100 wei, each wei has a
 * bucket. Above, the bounds have three digits and then zeros: they begin at each power of ten, and each is 1.04 times the one before,
 * rounded down.
 */

/** Version of the buckets in docs/definitions.md. */
export const DISTRIBUTION_VERSION = 1;

const BASE = 100;

/** The first three digits of the bounds: 100, 104, 108 … 974. */
const BOUNDS: number[] = [];
for (let bound = BASE; bound < 10 * BASE; bound = Math.floor((bound * 104) / 100)) BOUNDS.push(bound);

/** The index of the bucket within its power of ten, by the first three digits of a fee. */
const PLACES = new Uint8Array(10 * BASE);
for (const [place, bound] of BOUNDS.entries()) PLACES.fill(place, bound);

/** Returns the index of a fee's bucket. Indexes ascend with fees. @param fee wei, above 0 */
export function bucketOf(fee: bigint): number {
  const digits = fee.toString();
  if (digits.length < 3) return Number(digits);
  return BASE + (digits.length - 3) * BOUNDS.length + (PLACES[Number(digits.slice(0, 3))] as number);
}

/** Returns the bounds of the fees in a bucket, in wei: at least `from` and less than `to`. */
export const boundsOf = (bucket: number): { from: bigint; to: bigint } => ({
  from: startOf(bucket),
  to: startOf(bucket + 1),
});

function startOf(bucket: number): bigint {
  if (bucket < BASE) return BigInt(bucket);
  const place = bucket - BASE;
  const power = Math.floor(place / BOUNDS.length);
  return BigInt(BOUNDS[place % BOUNDS.length] as number) * 10n ** BigInt(power);
}

/** Numbers of transactions by the bucket of their fee. */
export type FeeCounts = ReadonlyMap<number, number>;

export const NO_FEE_COUNTS: FeeCounts = new Map();

export function countFees(counts: FeeCounts, buckets: readonly number[]): FeeCounts {
  if (buckets.length === 0) return counts;
  const sum = new Map(counts);
  for (const bucket of buckets) sum.set(bucket, (sum.get(bucket) ?? 0) + 1);
  return sum;
}

export function sumFeeCounts(all: readonly FeeCounts[]): FeeCounts {
  const sum = new Map<number, number>();
  for (const counts of all)
    for (const [bucket, count] of counts) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  return sum;
}

/** Lists counts, the lowest fees first. */
export const sortedCounts = (counts: FeeCounts): readonly (readonly [bucket: number, count: number])[] =>
  [...counts].toSorted(([a], [b]) => a - b);

/**
 * Returns the buckets of the fees that a tenth, half and nine tenths of the transactions do not exceed (nearest rank: the ⌈p × n⌉-th lowest
 * fee), or undefined when no transaction pays a fee.
 */
export function quantilesOf(counts: FeeCounts): Record<'p10' | 'median' | 'p90', number> | undefined {
  const sorted = sortedCounts(counts);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return undefined;
  const at = (percent: number) => {
    const rank = Math.ceil((percent * total) / 100);
    let seen = 0;
    for (const [bucket, count] of sorted) {
      seen += count;
      if (seen >= rank) return bucket;
    }
    throw new Error(`No transaction has the rank ${rank} of ${total}`);
  };
  return { p10: at(10), median: at(50), p90: at(90) };
}
