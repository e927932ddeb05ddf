import fc from 'fast-check';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { NO_FEES, totalFees } from '../../../lambda/chains/fee-parts.ts';
import { addTotals, NO_TOTALS, totalsOf } from '../../../lambda/chains/totals.ts';
import { block } from '../../support/builders.ts';

const ethereum = chainOf('ETHEREUM');

test('a block without transactions counts as one block with zero fees', () => {
  expect(totalsOf(ethereum, block(0))).toEqual({
    blocks: 1,
    transactions: 0,
    protocolTransactions: 0,
    fees: NO_FEES,
  });
});

test('totalsOf counts the transactions and sums their fees', () => {
  const totals = totalsOf(ethereum, block(3));
  expect(totals).toMatchObject({ blocks: 1, transactions: 3, protocolTransactions: 0 });
  expect(totalFees(totals.fees)).toBe(3n * 21_000n * 2n);
});

test('protocol transactions count among all and separately', () => {
  const internal = block(3, (receipt, index) =>
    index === 0 ? { ...receipt, type: 0x6a, gasUsed: 0n } : receipt,
  );
  expect(totalsOf(chainOf('ARBITRUM'), internal)).toMatchObject({ transactions: 3, protocolTransactions: 1 });
});

test('a Polygon state-sync without a receipt counts as a protocol transaction', () => {
  const body = block(2);
  const totals = totalsOf(chainOf('POLYGON'), { ...body, receipts: body.receipts.slice(0, 1) });
  expect(totals).toMatchObject({ transactions: 2, protocolTransactions: 1 });
});

test.each([
  ['the price of gas', { effectiveGasPrice: 2n ** 256n - 1n }],
  ['an L1 fee', { l1Fee: 10n ** 29n }],
  ['the gas of a retryable submission', { type: 0x69, gasUsed: 2n ** 256n - 1n }],
] as const)('refuses a block whose fees are more than all coins by %s', (_, given) => {
  const chain = chainOf('l1Fee' in given ? 'BASE' : 'type' in given ? 'ARBITRUM' : 'ETHEREUM');
  const forged = block(2, (receipt, index) => ({ ...receipt, l1Fee: 0n, ...(index === 1 && given) }));
  expect(() => totalsOf(chain, forged)).toThrow(`${chain.name} block 100: its fees are more than all coins`);
});

test('addTotals is associative', () => {
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
