import fc from 'fast-check';
import { mapFeeParts } from '#core/figures/fee-parts.ts';
import { mapMeasures } from '#core/figures/measures.ts';
import { addTotals, NO_TOTALS, type Totals } from '#core/figures/totals.ts';

const totals = fc
  .tuple(fc.nat(), fc.nat(), fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 100n }))
  .map(([blocks, transactions, protocolTransactions, wei]): Totals => {
    const fees = mapFeeParts((name) => wei * BigInt(name.length));
    const measures = mapMeasures((name) => (wei % 7n === 0n ? undefined : wei * BigInt(name.length)));
    return { blocks, transactions, protocolTransactions, fees, measures };
  });

test('addTotals is associative, and no totals change nothing', () => {
  fc.assert(
    fc.property(totals, totals, totals, (a, b, c) => {
      expect(addTotals(addTotals(a, b), c)).toEqual(addTotals(a, addTotals(b, c)));
      expect(addTotals(NO_TOTALS, a)).toEqual(a);
    }),
  );
});
