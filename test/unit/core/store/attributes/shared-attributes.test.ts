import fc from 'fast-check';
import * as z from 'zod/mini';
import type { Totals } from '#core/figures/totals.ts';
import {
  encodeFeeCounts,
  feeCountsSchema,
  hoursSchema,
  timestamp,
  toColumns,
  totalsFromAttributes,
  totalsShape,
  totalsToAttributes,
} from '#core/store/attributes/shared-attributes.ts';
import { anyDetails } from '#test/support/generators/rows/details.ts';

/* Proves that sums, hours and counts of fees are read as they were stored, and in how many bytes counts are stored. */

/** Integers as the table gives them. */
const asStored = (value: unknown): unknown =>
  typeof value === 'number'
    ? BigInt(value)
    : Array.isArray(value)
      ? value.map(asStored)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asStored(one)]))
        : value;

const hoursOf = (given: readonly Totals[]) => asStored(toColumns(given.map(totalsToAttributes)));

test('totals and hours are read as they were stored, also without measures', () => {
  fc.assert(
    fc.property(anyDetails, ({ hours }) => {
      expect(z.parse(hoursSchema(totalsShape), hoursOf(hours)).map(totalsFromAttributes)).toEqual(hours);
      const [first] = hours as [Totals];
      const item = z.parse(z.object(totalsShape), asStored(totalsToAttributes(first)));
      expect(totalsFromAttributes(item)).toEqual(first);
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['23 hours', (values: readonly unknown[]) => values.slice(1)],
  ['25 hours', (values: readonly unknown[]) => [...values, 0n]],
  ['an hour without its count', (values: readonly unknown[]) => values.with(7, null)],
])('refuses %s', (_, change) => {
  const zeros = Array.from({ length: 24 }, () => 0n);
  const count = z.object({ count: hoursSchema({ block_count: z.bigint() }) });
  expect(z.safeParse(count, { count: { block_count: zeros } }).success).toBe(true);
  expect(z.safeParse(count, { count: { block_count: change(zeros) } }).success).toBe(false);
});

describe('counts of fees', () => {
  test('are read as they were stored, the lowest bucket first', () => {
    fc.assert(
      fc.property(anyDetails, ({ feeCounts }) => {
        const decoded = z.parse(feeCountsSchema, encodeFeeCounts(feeCounts));
        expect([...decoded]).toEqual([...feeCounts].toSorted(([a], [b]) => a - b));
      }),
      { numRuns: 50 },
    );
  });

  // Each number takes a byte up to 127, and one more for each further 7 bits.
  test.each([
    [[[127, 127]], 2],
    [[[128, 127]], 3],
    [[[128, 128]], 4],
    [
      [
        [1_000, 1],
        [1_127, 1],
      ],
      5,
    ],
    [[[7, 2 ** 40]], 7],
  ])('%j takes %i bytes', (counts, bytes) => {
    const text = encodeFeeCounts(new Map(counts as [number, number][]));
    expect(Buffer.from(text, 'base64')).toHaveLength(bytes);
  });
});

test('a time is read in milliseconds, and only if it is one', () => {
  expect(z.parse(timestamp, '2026-11-18T00:00:00.007Z')).toBe(Date.UTC(2026, 10, 18, 0, 0, 0, 7));
  expect(z.safeParse(timestamp, '2026-11-18').success).toBe(false);
});

test('counts that end within a pair are read up to it', () => {
  const [whole, cut] = [
    [5, 2],
    [5, 2, 7],
  ].map((integers) => Buffer.from(integers).toString('base64'));
  expect(z.parse(feeCountsSchema, whole)).toEqual(new Map([[5, 2]]));
  expect(z.parse(feeCountsSchema, cut)).toEqual(new Map([[5, 2]]));
});
