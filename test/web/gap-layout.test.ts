import { SECONDS_PER_DAY, startOfDay } from '../../lambda/chains/utc-day.ts';
import { layoutGapMarks } from '../../web/chart-data.ts';

/** Returns an axis that begins at 10 pixels with a day. */
const axisFrom = (day: string, perDay: number, right = 1_000) => ({
  left: 10,
  right,
  at: (seconds: number) => 10 + ((seconds - startOfDay(day)) / SECONDS_PER_DAY) * perDay,
});
const ethereum = { chain: 'ETHEREUM', column: 0 } as const;
const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map((date, index) => ({
  date,
  values: index === 1 || index === 3 ? [undefined, '5'] : ['7', '5'],
}));

test('marks only days without a figure, as wide as the day', () => {
  expect(layoutGapMarks(days, ethereum, axisFrom('2026-11-01', 20), 2)).toEqual([
    { left: 20, width: 20 },
    { left: 60, width: 20 },
  ]);
  expect(layoutGapMarks(days, { chain: 'BASE', column: 1 }, axisFrom('2026-11-01', 20), 2)).toEqual([]);
});

test('keeps a minimum width within the chart, also for the last day', () => {
  const axis = axisFrom('2026-11-01', 0.25, 10.75);
  for (const { left, width } of layoutGapMarks(days, ethereum, axis, 2)) {
    expect(width).toBe(2);
    expect(left + width).toBeLessThanOrEqual(10.75);
  }
  expect(layoutGapMarks(days, ethereum, axis, 2)).toHaveLength(2);
});

test('omits days outside the visible range', () => {
  expect(layoutGapMarks(days, ethereum, axisFrom('2026-11-03', 20), 2)).toHaveLength(1);
  expect(layoutGapMarks(days, ethereum, axisFrom('2026-11-01', 20, 60), 2)).toHaveLength(1);
});

test('omits days before the first day of the chain', () => {
  const before = [
    { date: '2015-07-29', values: [] },
    { date: '2015-07-30', values: [] },
  ];
  expect(layoutGapMarks(before, ethereum, axisFrom('2015-07-29', 20), 2)).toEqual([{ left: 20, width: 20 }]);
});
