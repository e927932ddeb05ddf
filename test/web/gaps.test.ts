import { SECONDS_PER_DAY, startOfDay } from '../../lambda/chains/utc-day.ts';
import { gapsOf } from '../../web/gaps.ts';

/** A chart that begins at 10 pixels with a day, and has so many pixels for each. */
const edgesFrom = (day: string, perDay: number, right = 1_000) => ({
  left: 10,
  right,
  at: (seconds: number) => 10 + ((seconds - startOfDay(day)) / SECONDS_PER_DAY) * perDay,
});
const ethereum = { chain: 'ETHEREUM', column: 0 } as const;
const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map((date, index) => ({
  date,
  values: index === 1 || index === 3 ? [undefined, '5'] : ['7', '5'],
}));

test('a day without a figure has a mark that is as wide as the day, and one with a figure has none', () => {
  expect(gapsOf(days, ethereum, edgesFrom('2026-11-01', 20), 2)).toEqual([
    { left: 20, width: 20 },
    { left: 60, width: 20 },
  ]);
  expect(gapsOf(days, { chain: 'BASE', column: 1 }, edgesFrom('2026-11-01', 20), 2)).toEqual([]);
});

test('however many days there are, a mark can be seen, that of the last day too', () => {
  const edges = edgesFrom('2026-11-01', 0.25, 10.75);
  for (const { left, width } of gapsOf(days, ethereum, edges, 2)) {
    expect(width).toBe(2);
    expect(left + width).toBeLessThanOrEqual(10.75);
  }
  expect(gapsOf(days, ethereum, edges, 2)).toHaveLength(2);
});

test('what is zoomed out of the chart has no mark', () => {
  expect(gapsOf(days, ethereum, edgesFrom('2026-11-03', 20), 2)).toHaveLength(1);
  expect(gapsOf(days, ethereum, edgesFrom('2026-11-01', 20, 60), 2)).toHaveLength(1);
});

test('days before a chain had any are not missing', () => {
  const before = [
    { date: '2015-07-29', values: [] },
    { date: '2015-07-30', values: [] },
  ];
  expect(gapsOf(before, ethereum, edgesFrom('2015-07-29', 20), 2)).toEqual([{ left: 20, width: 20 }]);
});
