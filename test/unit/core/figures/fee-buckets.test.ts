import fc from 'fast-check';
import {
  boundsOf,
  bucketOf,
  countFees,
  DISTRIBUTION_VERSION,
  NO_FEE_COUNTS,
  quantilesOf,
  sumFeeCounts,
} from '#core/figures/fee-buckets.ts';

/** Wei of every magnitude, up to more than there is of any coin. */
const fee = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.bigInt({ min: 1n, max: 9_999n }))
  .map(([power, digits]) => digits * 10n ** BigInt(power));

test('a fee is within the bounds of its bucket, which is at most 4% wide', () => {
  fc.assert(
    fc.property(fee, (wei) => {
      const { from, to } = boundsOf(bucketOf(wei));
      expect(from <= wei && wei < to).toBe(true);
      expect((to - from) * 100n <= from * 4n || to - from === 1n).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('buckets follow each other without a gap', () => {
  for (let bucket = 1; bucket < 2_000; bucket++) {
    expect(boundsOf(bucket).to).toBe(boundsOf(bucket + 1).from);
    expect(bucketOf(boundsOf(bucket).from)).toBe(bucket);
    expect(bucketOf(boundsOf(bucket).to - 1n)).toBe(bucket);
  }
});

test('version 1 of the distribution has buckets from 100, 104, 108 … 974 and 1,000 wei on', () => {
  expect(DISTRIBUTION_VERSION).toBe(1);
  const last = bucketOf(999n);
  const bounds = Array.from({ length: last - 100 + 1 }, (_, index) => boundsOf(100 + index).from);
  expect([bounds.slice(0, 3), bounds.at(-1), boundsOf(last).to]).toEqual([[100n, 104n, 108n], 974n, 1_000n]);
  for (const [index, bound] of bounds.slice(1).entries())
    expect(bound).toBe(BigInt(Math.floor(1.04 * Number(bounds[index]))));
});

test('each transaction counts once in its bucket', () => {
  expect(countFees(new Map([[7, 1]]), [9, 7])).toEqual(
    new Map([
      [7, 2],
      [9, 1],
    ]),
  );
});

test('counts of parts add up to those of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat({ max: 50 }))), (parts) => {
      const counted = parts.map((buckets) => countFees(NO_FEE_COUNTS, buckets));
      expect(sumFeeCounts(counted)).toEqual(countFees(NO_FEE_COUNTS, parts.flat()));
    }),
  );
});

test('a quantile is the bucket of the fee at its rank among all fees', () => {
  fc.assert(
    fc.property(fc.array(fee, { minLength: 1 }), (fees) => {
      const sorted = fees.toSorted((a, b) => (a < b ? -1 : 1));
      const at = (percent: number) => bucketOf(sorted[Math.ceil((percent * fees.length) / 100) - 1] ?? 0n);
      const expected = { p10: at(10), median: at(50), p90: at(90) };
      expect(quantilesOf(countFees(NO_FEE_COUNTS, fees.map(bucketOf)))).toEqual(expected);
    }),
  );
  expect(quantilesOf(NO_FEE_COUNTS)).toBeUndefined();
});

test('of 1,000 fees, the 100th, the 500th and the 900th lowest are the quantiles', () => {
  const fees = Array.from({ length: 1_000 }, (_, index) => [index + 1, 1] as const);
  expect(quantilesOf(new Map(fees))).toEqual({ p10: 100, median: 500, p90: 900 });
});
