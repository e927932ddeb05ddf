import { addTotals, NO_TOTALS, type Totals } from '#core/figures/totals.ts';

/* Proves that sums of blocks add up member by member. */

const totals: Totals = {
  blocks: 1,
  transactions: 20,
  protocolTransactions: 3,
  fees: { execution: 4n, l1Data: 5n, operator: 6n, blob: 7n, retryableDoubleCount: 8n },
  measures: { gasUsed: 21_000n, failedTransactions: 1n, priorityFees: 9n, blobs: undefined },
};

test('the totals of no blocks change no others', () => {
  expect(addTotals(totals, NO_TOTALS)).toEqual(totals);
  expect(addTotals(NO_TOTALS, totals)).toEqual(totals);
});

test('totals of two parts of a day add up to those of the day', () => {
  expect(addTotals(totals, { ...totals, blocks: 7_199, protocolTransactions: 0 })).toEqual({
    blocks: 7_200,
    transactions: 40,
    protocolTransactions: 3,
    fees: { execution: 8n, l1Data: 10n, operator: 12n, blob: 14n, retryableDoubleCount: 16n },
    measures: { gasUsed: 42_000n, failedTransactions: 2n, priorityFees: 18n, blobs: undefined },
  });
});
