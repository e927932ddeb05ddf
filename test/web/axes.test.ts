import { startOfDay } from '../../lambda/chains/utc-day.ts';
import { rangeOf, tickDay, tickFigure } from '../../web/axes.ts';

const DAY = 86_400;

test.each([
  [0, '0'],
  [0.0012, '0.0012'],
  [0.00000012, '1.2E-7'],
  [1_500, '1,500'],
  [250_000, '250K'],
  [12_500_000, '12.5M'],
  [null, ''],
])('%p stands beside an axis as %p', (value, text) => {
  expect(tickFigure(value)).toBe(text);
});

test.each([
  [DAY, '1 Nov'],
  [14 * DAY, '1 Nov'],
  [30 * DAY, 'Nov 2026'],
  [365 * DAY, '2026'],
])('with %i seconds between ticks, a day is as exact as that', (step, text) => {
  expect(tickDay(startOfDay('2026-11-01'), step)).toBe(text);
});

test('heights begin at 0, whatever the figures are', () => {
  expect(rangeOf(90, 100, false)).toEqual([0, 106]);
  expect(rangeOf(0, 0, false)).toEqual([0, 1]);
  expect(rangeOf(null, null, false)).toEqual([0, 1]);
});

test('on a log scale the figures are within the range, which has no 0', () => {
  const [min, max] = rangeOf(3, 4_000, true);
  expect(min).toBeGreaterThan(0);
  expect(min).toBeLessThanOrEqual(3);
  expect(max).toBeGreaterThanOrEqual(4_000);
  expect(rangeOf(null, null, true)).toEqual([1, 10]);
});
