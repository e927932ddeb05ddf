import { amountBounds, coinAmount, knownAmount, paidAmount, paidPartAmount } from '#core/figures/amounts.ts';
import { bucketOf } from '#core/figures/fee-buckets.ts';

test.each([
  [0n, '0'],
  [1n, '0.000000000000000001'],
  [10n ** 18n, '1'],
  [1_500_000_000_000_000_000n, '1.5'],
  [358_558_440_870_590_355_682n, '358.558440870590355682'],
  [100n * 10n ** 18n, '100'],
])('formats %s wei as %s', (wei, amount) => {
  expect(coinAmount(wei)).toBe(amount);
  expect(knownAmount(wei)).toBe(amount);
});

test('leaves a sum that is not known without an amount', () => {
  expect(knownAmount(undefined)).toBeUndefined();
});

test('sums what senders paid on several days, and one part of it', () => {
  const coin = 10n ** 18n;
  const day = { execution_fees: coin, l1_data_fees: 2n * coin, operator_fees: 0n, blob_fees: 4n * coin };
  const days = [day, { ...day, l1_data_fees: coin / 2n }];
  expect(paidAmount(days)).toBe('12.5');
  expect(paidPartAmount(days, 'l1Data')).toBe('2.5');
  expect(paidAmount([])).toBe('0');
});

test('states the bounds of a bucket, which meets the next one', () => {
  const bucket = bucketOf(10n ** 17n);
  expect(amountBounds(bucket)).toEqual({ from: '0.1', to: '0.104' });
  expect(amountBounds(bucket + 1)).toEqual({ from: '0.104', to: '0.108' });
});
