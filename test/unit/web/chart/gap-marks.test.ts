import type { ChainName } from '#core/chains/chains.ts';
import { addDays, startOfDay } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/rows/day-rows.ts';
import { gapMarkAt, gapMarks } from '#web/chart/gap-marks.ts';
import type { Cell } from '#web/model/cells.ts';

/** A panel with 100 px a day, whose axis is at a height of 300 px. */
const panel = (first: string) => ({
  x: (seconds: number) => 50 + (100 * (seconds - startOfDay(first))) / 86_400,
  left: 50,
  right: 650,
  bottom: 300,
});
const marksOf = (first: string, ...lines: Parameters<typeof gapMarks>[1]) => {
  const dates = Array.from({ length: lines[0]?.cells.length ?? 0 }, (_, index) => addDays(first, index));
  return gapMarks(panel(first), lines, dates, 'day');
};

const figure: Cell = { state: 'figure', amount: 1n, row: dayRow('2026-11-01') };
const gap: Cell = { state: 'missing' };
const lineOf = (chain: ChainName, ...cells: readonly Cell[]) => ({ chain, cells });

test('marks the stretches of dates at which a figure is missing, and none before the chain began', () => {
  const line = lineOf(
    'BASE',
    { state: 'before' },
    gap,
    figure,
    { state: 'pending' },
    { state: 'lacking' },
    figure,
    gap,
  );
  expect(marksOf('2023-06-14', line)).toEqual([
    { chain: 'BASE', first: 1, last: 1, x: 100, y: 302, width: 100 },
    { chain: 'BASE', first: 3, last: 4, x: 300, y: 302, width: 200 },
    { chain: 'BASE', first: 6, last: 6, x: 600, y: 302, width: 50 },
  ]);
});

test('marks no period whose part is drawn', () => {
  const part = { amount: 1n, have: 2, of: 7 };
  const line = lineOf('BASE', { state: 'missing', part }, gap);
  expect(marksOf('2026-11-01', { ...line, parts: [part, undefined] }).map(({ first }) => first)).toEqual([1]);
  expect(marksOf('2026-11-01', line).map(({ first, last }) => [first, last])).toEqual([[0, 1]]);
});

test('marks hours by their own width', () => {
  const dates = ['2026-11-20T00', '2026-11-20T01', '2026-11-20T02'];
  const [mark] = gapMarks(
    { ...panel('2026-11-20'), left: 0 },
    [lineOf('BASE', figure, gap, figure)],
    dates,
    'hour',
  );
  expect(mark?.width).toBeCloseTo(100 / 24);
});

const ethereum = lineOf('ETHEREUM', figure, figure, gap, gap);
const base = lineOf('BASE', figure, gap, gap, figure);

test.each([
  ['on the mark of one chain', { x: 300, y: 304 }, 'ETHEREUM'],
  ['on the mark of the next row', { x: 200, y: 310 }, 'BASE'],
  ['beside a mark, nearer to the axis than a finger can hit', { x: 142, y: 306 }, 'BASE'],
  ['on the chart above the marks', { x: 300, y: 250 }, undefined],
  ['below the axis, away from any mark', { x: 60, y: 304 }, undefined],
])('a click %s means %p', (_, place, chain) => {
  expect(gapMarkAt(marksOf('2026-11-01', ethereum, base), place)?.chain).toBe(chain);
});
