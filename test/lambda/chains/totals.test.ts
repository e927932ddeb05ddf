import fc from 'fast-check';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { NO_FEES, totalFees } from '../../../lambda/chains/fee-parts.ts';
import { addTotals, NO_TOTALS, totalsOf } from '../../../lambda/chains/totals.ts';
import { block } from '../../support/builders.ts';

const ethereum = chainOf('ETHEREUM');

test('a block without transactions counts as a block and nothing else', () => {
  expect(totalsOf(ethereum, block(0))).toEqual({
    blocks: 1,
    transactions: 0,
    protocolTransactions: 0,
    fees: NO_FEES,
  });
});

test('the transactions of a block are counted and their fees summed', () => {
  const totals = totalsOf(ethereum, block(3));
  expect(totals).toMatchObject({ blocks: 1, transactions: 3, protocolTransactions: 0 });
  expect(totalFees(totals.fees)).toBe(3n * 21_000n * 2n);
});

test('protocol transactions are counted with the others and also apart', () => {
  const internal = block(3, (receipt, index) =>
    index === 0 ? { ...receipt, type: 0x6a, gasUsed: 0n } : receipt,
  );
  expect(totalsOf(chainOf('ARBITRUM'), internal)).toMatchObject({ transactions: 3, protocolTransactions: 1 });
});

test('a Polygon state-sync in the body without a receipt is a protocol transaction', () => {
  const body = block(2);
  const totals = totalsOf(chainOf('POLYGON'), { ...body, receipts: body.receipts.slice(0, 1) });
  expect(totals).toMatchObject({ transactions: 2, protocolTransactions: 1 });
});

test('sums do not depend on how blocks are grouped', () => {
  const counts = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 });
  fc.assert(
    fc.property(counts, counts, (some, others) => {
      const sum = (blocks: readonly number[]) =>
        blocks.map((count) => totalsOf(ethereum, block(count))).reduce(addTotals, NO_TOTALS);
      expect(addTotals(sum(some), sum(others))).toEqual(sum([...some, ...others]));
    }),
    { numRuns: 30 },
  );
});
