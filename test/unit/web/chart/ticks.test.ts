import fc from 'fast-check';
import { addDays, dayOf, SECONDS_PER_DAY, startOfDay } from '#core/figures/calendar.ts';
import { formatTicks, timeTicks } from '#web/chart/ticks.ts';

const ticksOf = (first: string, last: string, most: number, periodDays = 1) =>
  timeTicks(startOfDay(first), startOfDay(last), most, periodDays);
const labelsOf = (...range: Parameters<typeof ticksOf>) => ticksOf(...range).map(({ label }) => label);

test('a day of hours has ticks at hours, and its date at midnight', () => {
  const first = startOfDay('2026-11-20');
  const labels = timeTicks(first, first + SECONDS_PER_DAY, 8, 1 / 24).map(({ label }) => label);
  expect(labels).toEqual(['20 Nov', '3:00', '6:00', '9:00', '12:00', '15:00', '18:00', '21:00', '21 Nov']);
});

test('three months have ticks on Mondays', () => {
  const ticks = ticksOf('2026-08-24', '2026-11-21', 14);
  expect(new Set(ticks.map(({ seconds }) => new Date(seconds * 1_000).getUTCDay()))).toEqual(new Set([1]));
  expect(ticks).toHaveLength(13);
});

test('a year has ticks on first days of months, with the year at the first and at each January', () => {
  expect(labelsOf('2025-11-22', '2026-11-21', 14)).toEqual([
    'Dec 2025',
    '2026',
    'Feb',
    'Mar',
    'Apr',
    'May',
    'Jun',
    'Jul',
    'Aug',
    'Sep',
    'Oct',
    'Nov',
  ]);
});

test('a year on a phone has few enough ticks that labels of 50 pixels do not collide', () => {
  const width = 270;
  const ticks = ticksOf('2025-11-22', '2026-11-21', width / 54);
  const perSecond = width / (364 * SECONDS_PER_DAY);
  const distances = ticks
    .slice(1)
    .map(({ seconds }, index) => (seconds - (ticks[index]?.seconds ?? 0)) * perSecond);
  expect(ticks.length).toBeGreaterThan(1);
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(50);
});

test('eleven years have ticks on first days of years', () => {
  expect(labelsOf('2015-07-30', '2026-11-21', 14)).toEqual(
    Array.from({ length: 11 }, (_, index) => String(2016 + index)),
  );
});

test('has no tick between the first days of periods', () => {
  for (const { seconds } of ticksOf('2026-01-01', '2026-06-01', 40, 28))
    expect(dayOf(seconds)).toMatch(/-01$/);
});

test('ticks lie in the range and ascend', () => {
  fc.assert(
    fc.property(fc.nat(4_000), fc.nat(4_000), fc.integer({ min: 2, max: 20 }), (from, days, most) => {
      const first = startOfDay(addDays('2015-07-30', from));
      const last = first + days * SECONDS_PER_DAY;
      const seconds = timeTicks(first, last, most).map((tick) => tick.seconds);
      expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
      for (const one of seconds) expect(one >= first && one <= last).toBe(true);
      expect(seconds.length).toBeLessThanOrEqual(most + 2);
    }),
  );
});

test.each([
  [
    [0, 50, 100],
    ['0', '50', '100'],
  ],
  [
    [0, 0.0001, 0.0002],
    ['0', '0.0001', '0.0002'],
  ],
  // One form for all: 5E-5 beside 0.0001 would be hard to compare.
  [
    [0, 0.00005, 0.0001],
    ['0', '5E-5', '1E-4'],
  ],
  [
    [0, 5_000, 10_000],
    ['0', '5K', '10K'],
  ],
  [
    [0, 500, 1_000],
    ['0', '500', '1,000'],
  ],
  [
    [2_500_000, 12_500_000],
    ['2.5M', '12.5M'],
  ],
])('formats the ticks %p as %p', (values, texts) => {
  expect(formatTicks(values)).toEqual(texts);
});
