import { exceedAllCoins, type Fees, NO_FEES, sumFees, totalFees } from '#core/figures/fee-parts.ts';

const FEES: Fees = {
  execution: 1n,
  l1Data: 20n,
  operator: 300n,
  blob: 4_000n,
  retryableDoubleCount: 50_000n,
};

test('senders paid every part but what Arbitrum reports twice', () => {
  expect(totalFees(FEES)).toBe(4_321n);
});

test('fees add up part by part', () => {
  expect(sumFees([FEES, NO_FEES, FEES])).toEqual({
    execution: 2n,
    l1Data: 40n,
    operator: 600n,
    blob: 8_000n,
    retryableDoubleCount: 100_000n,
  });
  expect(sumFees([])).toEqual(NO_FEES);
});

test('more than ten times all coins is refused, whatever the part', () => {
  const limit = 10n ** 29n;
  for (const part of Object.keys(NO_FEES)) {
    expect(exceedAllCoins({ ...NO_FEES, [part]: limit })).toBe(false);
    expect(exceedAllCoins({ ...NO_FEES, [part]: limit + 1n })).toBe(true);
  }
  const half = limit / 2n + 1n;
  expect(exceedAllCoins({ ...NO_FEES, execution: half, retryableDoubleCount: half })).toBe(true);
});
