import { axisRange, formatTickValue } from '../../web/axes.ts';

test.each([
  [0, '0'],
  [0.0012, '0.0012'],
  [0.00000012, '1.2E-7'],
  [1_500, '1,500'],
  [250_000, '250K'],
  [12_500_000, '12.5M'],
  [null, ''],
])('formats the value %p as %p', (value, text) => {
  expect(formatTickValue(value)).toBe(text);
});

test('a linear axis starts at 0', () => {
  expect(axisRange(90, 100, false)).toEqual([0, 106]);
  expect(axisRange(0, 0, false)).toEqual([0, 1]);
  expect(axisRange(null, null, false)).toEqual([0, 1]);
});

test('a logarithmic axis contains all figures and no 0', () => {
  const [min, max] = axisRange(3, 4_000, true);
  expect(min).toBeGreaterThan(0);
  expect(min).toBeLessThanOrEqual(3);
  expect(max).toBeGreaterThanOrEqual(4_000);
  expect(axisRange(null, null, true)).toEqual([1, 10]);
});
