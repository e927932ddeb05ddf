import fc from 'fast-check';
import {
  addDays,
  countDays,
  dayOf,
  endOfPeriod,
  type Interval,
  intervals,
  LAST_SECOND,
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
