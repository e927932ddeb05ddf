import fc from 'fast-check';
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

test('every amount converts back to the same wei, and has no trailing zeros', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 38n }), (wei) => {
      const amount = coinAmount(wei);
      const [whole = '', fraction = ''] = amount.split('.');
      expect(BigInt(whole + fraction.padEnd(18, '0'))).toBe(wei);
      expect(amount).toMatch(/^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$/);
    }),
  );
});
