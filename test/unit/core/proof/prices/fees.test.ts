import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { isUnpaid } from '#core/chains/transaction-types.ts';
import { sumFees, totalFees } from '#core/figures/fee-parts.ts';
import { type Charges, feesOf } from '#core/proof/prices/fees.ts';

const charges: Charges = {
  gasUsed: 10n,
  effectiveGasPrice: 7n,
  l1Data: 300n,
  operator: 4_000n,
  blob: 50_000n,
};

const unpaid = (name: ChainName, type: number) => isUnpaid(chainOf(name).rules, type);

test('the total is gas times price plus the L1 fee, the operator fee and the blob fee', () => {
  expect(totalFees(feesOf(charges))).toBe(54_370n);
});

test('fees add up part by part', () => {
  const donor = { ...feesOf(charges), retryableDoubleCount: 70n };
  expect(sumFees([feesOf(charges), donor])).toEqual({
    execution: 140n,
    l1Data: 600n,
    operator: 8_000n,
    blob: 100_000n,
    retryableDoubleCount: 70n,
  });
});

test('OP stack deposits and Polygon state-sync transactions are unpaid, and those types are paid elsewhere', () => {
  expect([unpaid('BASE', 0x7e), unpaid('OPTIMISM', 0x7d), unpaid('POLYGON', 0x7f)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([unpaid('BASE', 2), unpaid('POLYGON', 2), unpaid('ARBITRUM', 0x69)]).toEqual([false, false, false]);
});
