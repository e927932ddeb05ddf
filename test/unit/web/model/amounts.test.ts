import fc from 'fast-check';
import {
  changeFrom,
  countAmount,
  formatExact,
  formatRounded,
  groupThousands,
  parseAmount,
  sumAmounts,
  toNumber,
} from '#web/model/amounts.ts';

test('sums differ by no digit from integer arithmetic', () => {
  expect(formatExact(sumAmounts(['0.1', '0.2', '0.000000000000000001'].map(parseAmount)))).toBe(
    '0.300000000000000001',
  );
  expect(formatExact(sumAmounts([countAmount(9_007_199_254_740_991), countAmount(2)]))).toBe(
    '9007199254740993',
  );
});

test.each([
  ['0', '0'],
  ['12', '12'],
  ['358.558440870590355682', '358.56'],
  ['1234567', '1,234,567'],
  ['17628.4123', '17,628'],
  ['0.000123456', '0.00012346'],
  ['0.5', '0.5'],
  ['9.999996', '10.0000'],
  ['0.000000000000000021', '0.000000000000000021'],
])('rounds %s to %s', (value, text) => {
  expect(formatRounded(parseAmount(value))).toBe(text);
});

test('a rounded figure is within half a unit of its last digit', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 30n), (amount) => {
      const rounded = parseAmount(formatRounded(amount).replaceAll(',', ''));
      const error = rounded > amount ? rounded - amount : amount - rounded;
      expect(error * 2n * 10_000n <= amount + 20_000n || error === 0n || toNumber(amount) >= 10_000).toBe(
        true,
      );
    }),
  );
});

test('grouping changes no digit', () => {
  const figures = fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.nat()).map(([whole, part]) => `${whole}.${part}`);
  fc.assert(fc.property(figures, (value) => expect(groupThousands(value).replaceAll(',', '')).toBe(value)));
  expect(groupThousands('1234.567890123456789012')).toBe('1,234.567890123456789012');
});

test('a change is relative to the earlier figure, and undefined from 0', () => {
  expect(changeFrom(parseAmount('2'), parseAmount('3'))).toBe(0.5);
  expect(changeFrom(parseAmount('3'), parseAmount('3'))).toBe(0);
  expect(changeFrom(parseAmount('4'), parseAmount('1'))).toBe(-0.75);
  expect(changeFrom(0n, parseAmount('1'))).toBeUndefined();
});
