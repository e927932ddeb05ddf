import { coinAmount } from '#core/figures/amounts.ts';

test.each([
  [0n, '0'],
  [1n, '0.000000000000000001'],
  [10n ** 18n, '1'],
  [1_500_000_000_000_000_000n, '1.5'],
  [358_558_440_870_590_355_682n, '358.558440870590355682'],
  [100n * 10n ** 18n, '100'],
])('formats %s wei as %s', (wei, amount) => {
  expect(coinAmount(wei)).toBe(amount);
});
