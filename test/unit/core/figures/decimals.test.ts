import fc from 'fast-check';
import { exactDecimal, fixedDecimal, unitsOf } from '#core/figures/decimals.ts';

test.each([
  [0n, 0, '0'],
  [15n, 0, '15'],
  [0n, 1, '0.0'],
  [15n, 1, '1.5'],
  [5n, 2, '0.05'],
  [150n, 2, '1.50'],
  [12_345n, 3, '12.345'],
])('formats %s units with all of %i decimals as %s', (units, decimals, text) => {
  expect(fixedDecimal(units, decimals)).toBe(text);
});

test.each([
  [0n, '0'],
  [1n, '0.01'],
  [10n, '0.1'],
  [100n, '1'],
  [1_000n, '10'],
  [1_050n, '10.5'],
])('formats %s units of 2 decimals without trailing zeros as %s', (units, text) => {
  expect(exactDecimal(units, 2)).toBe(text);
});

test('parses what it formats, and a decimal with fewer digits', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 40n });
  fc.assert(
    fc.property(units, fc.integer({ min: 1, max: 26 }), (given, decimals) => {
      expect(unitsOf(exactDecimal(given, decimals), decimals)).toBe(given);
      expect(unitsOf(fixedDecimal(given, decimals), decimals)).toBe(given);
    }),
  );
  expect(unitsOf('7', 2)).toBe(700n);
});
