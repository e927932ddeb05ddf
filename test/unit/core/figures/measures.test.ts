import { MEASURES_VERSION, NO_MEASURES, sumKnown, sumMeasures } from '#core/figures/measures.ts';

/* Proves that no sum of a measure leaves out a block for which it is not known. */

test.each([
  [[], 0n],
  [[0n], 0n],
  [[1n, 20n, 300n], 321n],
  [[1n, undefined], undefined],
  [[undefined, 1n, 2n], undefined],
  [[undefined, undefined], undefined],
])('the sum of %p is %p', (values, sum) => {
  expect(sumKnown(values)).toBe(sum);
});

test('each measure has a sum of its own', () => {
  const block = { gasUsed: 21_000n, failedTransactions: undefined, priorityFees: 5n, blobs: 2n };
  expect(sumMeasures([block, NO_MEASURES, block])).toEqual({
    gasUsed: 42_000n,
    failedTransactions: undefined,
    priorityFees: 10n,
    blobs: 4n,
  });
});

test('measures and hours have not changed since version 1 of the definitions', () => {
  expect(MEASURES_VERSION).toBe(1);
});
