import fc from 'fast-check';
import type { ChainName } from '#core/chains/chains.ts';
import { addDays, startOfDay } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import {
  gapMarkAt,
  gapMarks,
  geometryOf,
  isolatedIndexes,
  nearestIndex,
  spreadLabels,
} from '#web/chart/geometry.ts';
import type { Cell } from '#web/model/cells.ts';
import type { Line } from '#web/model/panels.ts';

const dates = Array.from({ length: 30 }, (_, index) => addDays('2026-10-23', index));
const lineOf = (points: Line['points']): Line => ({ chain: 'BASE', cells: [], points });
const size = { width: 1_000, height: 400 };
const options = { interval: 'day', isLog: false, mode: 'lines' } as const;

test('a linear axis starts at 0 and contains all figures', () => {
  const geometry = geometryOf(dates, [lineOf([90, null, 107])], size, options);
  expect(geometry.y(0)).toBe(geometry.bottom);
  expect(geometry.y(107)).toBeGreaterThanOrEqual(geometry.top);
  expect(geometry.valueTicks[0]).toEqual({ value: 0, label: '0' });
});

test('a logarithmic axis contains all figures, and has few ticks, powers of ten among them', () => {
  const geometry = geometryOf(dates, [lineOf([3, 4_000])], size, { ...options, isLog: true });
  expect(geometry.y(3)).toBeLessThan(geometry.bottom);
  expect(geometry.y(4_000)).toBeGreaterThan(geometry.top);
  expect(geometry.valueTicks.map(({ value }) => value)).toEqual([10, 20, 100, 200, 1_000, 2_000]);
  const narrow = geometryOf(dates, [lineOf([30, 80])], size, { ...options, isLog: true });
  expect(narrow.valueTicks.map(({ value }) => value)).toEqual([30, 40, 50, 60, 70, 80]);
});

test('draws zeros alone on a linear axis, also when it is meant to be logarithmic', () => {
  const geometry = geometryOf(dates, [lineOf([null, 0])], size, { ...options, isLog: true });
  expect(Number.isFinite(geometry.y(0))).toBe(true);
});

test('the first and last date lie at the edges, and a single date in the middle', () => {
  const { x, left, right } = geometryOf(dates, [], size, options);
  expect([x(startOfDay('2026-10-23')), x(startOfDay('2026-11-21'))]).toEqual([left, right]);
  const single = geometryOf(['2026-11-21'], [], size, options);
  expect(single.x(startOfDay('2026-11-21'))).toBe((single.left + single.right) / 2);
});

const running = { amount: 0n, time: '07:37', point: 120, floor: 0 };

test('the running day comes a day after the last date, and has its own room where days are thin', () => {
  const chains = Array<Line>(9).fill({ ...lineOf([90]), running });
  const today = startOfDay('2026-11-22');
  const distances = (of: readonly string[], lines: readonly Line[]) => {
    const { x, end } = geometryOf(of, lines, size, options);
    return { day: x(today - 86_400) - x(today - 2 * 86_400), toToday: x(today) - x(today - 86_400), end };
  };
  const week = distances(dates.slice(-7), chains.slice(0, 1));
  expect(week.toToday).toBeCloseTo(week.day);
  const month = distances(dates, chains);
  expect(month.toToday).toBeGreaterThan(month.day);
  expect(month.end).toBe(geometryOf(dates, [lineOf([90])], size, options).right);
  const { x, left, end } = geometryOf(['2026-11-21'], chains.slice(0, 1), size, options);
  expect(x(today - 86_400)).toBeCloseTo((left + end - 7) / 2);
});

test('an axis contains the running day', () => {
  const geometry = geometryOf(dates, [{ ...lineOf([90]), running }], size, options);
  expect(geometry.y(120)).toBeGreaterThanOrEqual(geometry.top);
});

test('an axis contains the band around a line', () => {
  const banded = { ...lineOf([2]), band: [[1], [40]] } as const;
  const geometry = geometryOf(dates, [banded], size, options);
  expect(geometry.y(40)).toBeGreaterThanOrEqual(geometry.top);
});

test('finds the date that is nearest to a position', () => {
  const geometry = geometryOf(dates, [], size, options);
  fc.assert(
    fc.property(fc.double({ min: -100, max: 1_100, noNaN: true }), (position) => {
      const distances = dates.map((date) => Math.abs(geometry.x(startOfDay(date)) - position));
      expect(distances[nearestIndex(geometry, dates, position)]).toBe(Math.min(...distances));
    }),
  );
});

test('a point between two gaps is isolated, also at either end', () => {
  expect(isolatedIndexes([1, null, 2, 3, null, 0, null, null, 4])).toEqual([0, 5, 8]);
});

test('names move apart to their distance, keep their order and stay above the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 6 }), (positions) => {
      const moved = spreadLabels(positions, 14, 200);
      const order = [...positions.keys()].toSorted((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
      const sorted = order.map((index) => moved[index] ?? 0);
      for (const [index, place] of sorted.entries()) {
        expect(place).toBeLessThanOrEqual(200);
        if (index > 0) expect(place - (sorted[index - 1] ?? 0)).toBeGreaterThanOrEqual(14);
      }
    }),
  );
  expect(spreadLabels([10, 100, 105], 14, 200)).toEqual([10, 100, 114]);
});

test('the left margin has room for the longest label', () => {
  const phone = { width: 350, height: 300 };
  const short = geometryOf(dates, [lineOf([8])], phone, options);
  const long = geometryOf(dates, [lineOf([0.018])], phone, options);
  expect(long.left).toBeGreaterThan(short.left);
});

test('an axis of shares ends at 100', () => {
  const { y, top } = geometryOf(dates, [lineOf([12])], size, { ...options, mode: 'share' });
  expect(y(100)).toBe(top);
});

/** A panel with 100 px a day, whose axis is at a height of 300 px. */
const wide = (first: string) => ({
  x: (seconds: number) => 50 + (100 * (seconds - startOfDay(first))) / 86_400,
  left: 50,
  right: 650,
  bottom: 300,
});
const marksFrom = (first: string, ...lines: Parameters<typeof gapMarks>[1]) => {
  const dates = Array.from({ length: lines[0]?.cells.length ?? 0 }, (_, index) => addDays(first, index));
  return gapMarks(wide(first), lines, dates, 'day');
};

const figure: Cell = { state: 'figure', amount: 1n, row: dayRow('2026-11-01') };
const gap: Cell = { state: 'missing' };
const lineWith = (chain: ChainName, ...cells: readonly Cell[]) => ({ chain, cells });

test('marks the stretches of dates at which a figure is missing, and none before the chain began', () => {
  const line = lineWith(
    'BASE',
    { state: 'before' },
    gap,
    figure,
    { state: 'pending' },
    { state: 'lacking' },
    figure,
    gap,
  );
  expect(marksFrom('2023-06-14', line)).toEqual([
    { chain: 'BASE', first: 1, last: 1, x: 100, y: 302, width: 100 },
    { chain: 'BASE', first: 3, last: 4, x: 300, y: 302, width: 200 },
    { chain: 'BASE', first: 6, last: 6, x: 600, y: 302, width: 50 },
  ]);
});

test('marks no period whose part is drawn', () => {
  const part = { amount: 1n, have: 2, of: 7 };
  const line = lineWith('BASE', { state: 'missing', part }, gap);
  expect(marksFrom('2026-11-01', { ...line, parts: [part, undefined] }).map(({ first }) => first)).toEqual([
    1,
  ]);
  expect(marksFrom('2026-11-01', line).map(({ first, last }) => [first, last])).toEqual([[0, 1]]);
});

test('marks hours by their own width', () => {
  const dates = ['2026-11-20T00', '2026-11-20T01', '2026-11-20T02'];
  const [mark] = gapMarks(
    { ...wide('2026-11-20'), left: 0 },
    [lineWith('BASE', figure, gap, figure)],
    dates,
    'hour',
  );
  expect(mark?.width).toBeCloseTo(100 / 24);
});

const ethereum = lineWith('ETHEREUM', figure, figure, gap, gap);
const base = lineWith('BASE', figure, gap, gap, figure);

test.each([
  ['on the mark of one chain', { x: 300, y: 304 }, 'ETHEREUM'],
  ['on the mark of the next row', { x: 200, y: 310 }, 'BASE'],
  ['beside a mark, nearer to the axis than a finger can hit', { x: 142, y: 306 }, 'BASE'],
  ['on the chart above the marks', { x: 300, y: 250 }, undefined],
  ['below the axis, away from any mark', { x: 60, y: 304 }, undefined],
])('a click %s means %p', (_, place, chain) => {
  expect(gapMarkAt(marksFrom('2026-11-01', ethereum, base), place)?.chain).toBe(chain);
});
