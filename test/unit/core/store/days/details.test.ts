import fc from 'fast-check';
import * as z from 'zod/mini';
import type { DollarSums } from '#core/figures/dollars.ts';
import {
  dollarSumsSchema,
  encodeDollarSums,
  parseDetails,
  toDetailAttributes,
} from '#core/store/days/details.ts';

const whole = fc.bigInt({ min: 0n, max: 10n ** 60n });
const update = fc.record({ answer: whole, round: whole, updatedAt: fc.nat() });
const anySums: fc.Arbitrary<DollarSums> = fc.record(
  {
    aggregator: fc.string(),
    maxAge: fc.nat(),
    unpriced: whole,
    unpricedUntil: fc.nat(),
    priced: whole,
    first: update,
    last: update,
    updates: fc.nat(),
    readings: fc.array(
      fc.record({
        number: fc.nat(),
        hash: fc.string(),
        aggregator: fc.string(),
        evidence: fc.constantFrom('proven', 'reported'),
      }),
    ),
    doubt: fc.string(),
  },
  { requiredKeys: ['aggregator', 'maxAge', 'unpriced', 'unpricedUntil', 'priced', 'updates', 'readings'] },
);

test('sums are decoded as they were encoded, however large', () => {
  fc.assert(
    fc.property(anySums, (sums) => {
      expect(z.parse(dollarSumsSchema, encodeDollarSums(sums))).toEqual(sums);
    }),
  );
});

test.each(['', 'null', '{"aggregator":"0x12"}', encodeDollarSums({ priced: 1.5 } as never)])(
  '%j is refused',
  (text) => {
    expect(z.safeParse(dollarSumsSchema, text).success).toBe(false);
  },
);

test('an amount has 100 digits at most, with or without a sign', () => {
  const sums = { aggregator: '0x12', maxAge: 1, unpriced: 0n, unpricedUntil: 0, updates: 0, readings: [] };
  const isRead = (priced: bigint) =>
    z.safeParse(dollarSumsSchema, encodeDollarSums({ ...sums, priced })).success;
  expect([10n ** 100n - 1n, 1n - 10n ** 100n, 10n ** 100n].map(isRead)).toEqual([true, true, false]);
});

test('a busy day of fees takes less than 4 KB', () => {
  const feeCounts = new Map(
    Array.from({ length: 900 }, (_, index) => [400 + index, 1_500 * (index % 7) + 1]),
  );
  const { fee_counts: text } = toDetailAttributes({ hours: [], feeCounts });
  expect(text.length).toBeLessThan(4_096);
});

test.each([
  ['no object', 7],
  ['a day of 23 hours', { hours: { block_count: Array.from({ length: 23 }, () => 0n) }, fee_counts: '' }],
  ['hours without a count', { hours: {}, fee_counts: '' }],
])('%s is refused', (_, value) => {
  expect(parseDetails(value)).toEqual({ problem: expect.stringMatching(/^details: /) });
});
