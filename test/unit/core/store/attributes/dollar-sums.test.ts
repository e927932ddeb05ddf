import fc from 'fast-check';
import * as z from 'zod/mini';
import type { DollarSums } from '#core/figures/dollars.ts';
import { dollarSumsSchema, encodeDollarSums } from '#core/store/attributes/dollar-sums.ts';

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
