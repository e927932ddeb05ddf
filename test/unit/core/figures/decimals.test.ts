import fc from 'fast-check';
import { exactDecimal, unitsOf } from '#core/figures/decimals.ts';

test('an exact decimal has no trailing zeros, and is read as the same number', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 60n }),
      fc.integer({ min: 1, max: 26 }),
      (units, decimals) => {
        const text = exactDecimal(units, decimals);
        expect(unitsOf(text, decimals)).toBe(units);
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      },
    ),
  );
});
