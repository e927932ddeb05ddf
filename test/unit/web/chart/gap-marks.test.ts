import { addDays, startOfDay } from '#core/figures/calendar.ts';
import { gapMarkAt, gapMarks } from '#web/chart/gap-marks.ts';

/** A panel with 100 px a day, whose axis is at a height of 300 px. */
const panel = (first: string) => ({
  x: (seconds: number) => 50 + (100 * (seconds - startOfDay(first))) / 86_400,
  left: 50,
  right: 650,
  bottom: 300,
});
const marksOf = (first: string, ...lines: Parameters<typeof gapMarks>[1]) => {
  const dates = Array.from({ length: lines[0]?.amounts.length ?? 0 }, (_, index) => addDays(first, index));
  return gapMarks(panel(first), lines, dates, 'day');
};

test('marks the stretches of dates without a figure since the first day of which one is expected', () => {
  const amounts = [undefined, undefined, 1n, undefined, undefined, 0n, undefined];
  expect(marksOf('2023-06-14', { chain: 'BASE', firstDay: '2023-06-15', amounts })).toEqual([
    { chain: 'BASE', first: 1, last: 1, x: 100, y: 302, width: 100 },
    { chain: 'BASE', first: 3, last: 4, x: 300, y: 302, width: 200 },
    { chain: 'BASE', first: 6, last: 6, x: 600, y: 302, width: 50 },
  ]);
});

test('marks hours by their own width', () => {
  const dates = ['2026-11-20T00', '2026-11-20T01', '2026-11-20T02'];
  const line = { chain: 'BASE', firstDay: '2023-06-15', amounts: [1n, undefined, 1n] } as const;
  const [mark] = gapMarks({ ...panel('2026-11-20'), left: 0 }, [line], dates, 'hour');
  expect(mark?.width).toBeCloseTo(100 / 24);
});

const [ethereum, base] = [
  { chain: 'ETHEREUM', firstDay: '2015-07-30', amounts: [1n, 1n, undefined, undefined] },
  { chain: 'BASE', firstDay: '2023-06-15', amounts: [1n, undefined, undefined, 1n] },
] as const;

test.each([
  ['on the mark of one chain', { x: 300, y: 304 }, 'ETHEREUM'],
  ['on the mark of the next row', { x: 200, y: 310 }, 'BASE'],
  ['beside a mark, nearer to the axis than a finger can hit', { x: 142, y: 306 }, 'BASE'],
  ['on the chart above the marks', { x: 300, y: 250 }, undefined],
  ['below the axis, away from any mark', { x: 60, y: 304 }, undefined],
])('a click %s means %p', (_, place, chain) => {
  expect(gapMarkAt(marksOf('2026-11-01', ethereum, base), place)?.chain).toBe(chain);
});
