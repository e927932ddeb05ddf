import fc from 'fast-check';
import {
  addDays,
  countDays,
  dayOf,
  endOfPeriod,
  HOURS_PER_DAY,
  type Interval,
  intervals,
  LAST_SECOND,
  MAX_DAYS_OF_HOURS,
  resolveRelativeDay,
  SECONDS_PER_HOUR,
  startOfDay,
  startOfPeriod,
  type UtcDay,
} from '#core/figures/calendar.ts';

const seconds = fc.integer({ min: 0, max: 4_000_000_000 });

test('dayOf returns the day between whose midnights a second lies', () => {
  fc.assert(
    fc.property(seconds, (second) => {
      const day = dayOf(second);
      expect(startOfDay(day)).toBeLessThanOrEqual(second);
      expect(startOfDay(addDays(day, 1))).toBeGreaterThan(second);
    }),
  );
});

test('LAST_SECOND is the last one whose day fits YYYY-MM-DD', () => {
  expect(dayOf(LAST_SECOND)).toBe('9999-12-31');
  expect(dayOf(LAST_SECOND + 1)).not.toMatch(/^\d{4}-/);
});

test('a day has 24 hours, and a query for hours 92 days, as the longest quarter has', () => {
  const sixOClock = Date.parse('2026-11-20T06:00:00Z') / 1000;
  expect(startOfDay('2026-11-20') + 6 * SECONDS_PER_HOUR).toBe(sixOClock);
  expect(dayOf(startOfDay('2026-11-20') + HOURS_PER_DAY * SECONDS_PER_HOUR - 1)).toBe('2026-11-20');
  expect(dayOf(startOfDay('2026-11-20') + HOURS_PER_DAY * SECONDS_PER_HOUR)).toBe('2026-11-21');
  expect(MAX_DAYS_OF_HOURS).toBe(countDays('2026-07-01', '2026-09-30'));
});

test.each([
  ['yesterday', '2026-11-27'],
  ['1-day-ago', '2026-11-27'],
  ['1-days-ago', '2026-11-27'],
  ['9-days-ago', '2026-11-19'],
  ['30-days-ago', '2026-10-29'],
  // The largest number that is understood, which reaches back before any chain.
  ['99999-days-ago', '1753-02-13'],
  ['100000-days-ago', undefined],
  ['0-days-ago', undefined],
  ['030-days-ago', undefined],
  ['today', undefined],
])('on 2026-11-28, %s is the day %s', (text, day) => {
  expect(resolveRelativeDay(text, '2026-11-27')).toBe(day);
});

test('countDays includes both ends and returns 0 for a reversed range', () => {
  expect(countDays('2026-11-20', '2026-11-20')).toBe(1);
  expect(countDays('2026-11-21', '2026-11-20')).toBe(0);
  expect(countDays('2026-11-30', '2026-11-20')).toBe(0);
});

test.each<[Interval, UtcDay, UtcDay, UtcDay]>([
  ['day', '2024-02-29', '2024-02-29', '2024-02-29'],
  ['week', '2026-11-22', '2026-11-16', '2026-11-22'],
  ['week', '2026-11-23', '2026-11-23', '2026-11-29'],
  // ISO week 53 of 2020.
  ['week', '2021-01-03', '2020-12-28', '2021-01-03'],
  ['month', '2024-02-10', '2024-02-01', '2024-02-29'],
  ['month', '2026-12-31', '2026-12-01', '2026-12-31'],
  ['quarter', '2026-03-31', '2026-01-01', '2026-03-31'],
  ['quarter', '2026-04-01', '2026-04-01', '2026-06-30'],
  ['quarter', '2026-12-31', '2026-10-01', '2026-12-31'],
  ['year', '2024-12-31', '2024-01-01', '2024-12-31'],
])('the %s of %s is from %s to %s', (interval, day, first, last) => {
  expect(startOfPeriod(interval, day)).toBe(first);
  expect(endOfPeriod(interval, first)).toBe(last);
});

test('periods are contiguous and contain their days', () => {
  const day = fc.nat(30_000).map((days) => addDays('2000-01-01', days));
  fc.assert(
    fc.property(day, fc.constantFrom(...intervals), (of, interval) => {
      const first = startOfPeriod(interval, of);
      const last = endOfPeriod(interval, first);
      expect(first <= of && of <= last).toBe(true);
      expect(startOfPeriod(interval, first)).toBe(first);
      expect(startOfPeriod(interval, last)).toBe(first);
      expect(startOfPeriod(interval, addDays(last, 1))).toBe(addDays(last, 1));
    }),
  );
});
