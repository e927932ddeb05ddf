import fc from 'fast-check';
import { addDays, endOfPeriod, intervals, startOfDay, startOfPeriod } from '#core/figures/calendar.ts';
import {
  dayOfDate,
  endOf,
  hasHours,
  periodLabel,
  periodsBetween,
  startOf,
  startOfStep,
} from '#web/periods.ts';

const days = fc.nat(8_000).map((count) => addDays('2015-07-30', count));

test('periods follow each other without a gap, and each day lies in exactly one', () => {
  fc.assert(
    fc.property(days, fc.nat(900), fc.constantFrom(...intervals), (first, count, interval) => {
      const starts = periodsBetween(first, addDays(first, count), interval);
      expect(starts[0]).toBe(startOfPeriod(interval, first));
      for (const [index, start] of starts.entries()) {
        expect(startOfPeriod(interval, endOfPeriod(interval, start))).toBe(start);
        if (index > 0) expect(addDays(endOfPeriod(interval, starts[index - 1] ?? ''), 1)).toBe(start);
      }
      expect(endOfPeriod(interval, starts.at(-1) ?? '') >= addDays(first, count)).toBe(true);
    }),
  );
});

test.each([
  ['day', '2026-11-10', 'Tue 2026-11-10'],
  ['week', '2026-11-09', 'week of 2026-11-09'],
  ['month', '2026-11-01', 'Nov 2026'],
  ['quarter', '2026-10-01', 'Q4 2026'],
  ['year', '2026-01-01', '2026'],
] as const)('labels the %s of %s as %s', (interval, start, label) => {
  expect(periodLabel(start, interval)).toBe(label);
});

test('hours of a day follow each other, and belong to it', () => {
  fc.assert(
    fc.property(days, (day) => {
      const hours = periodsBetween(day, day, 'hour');
      expect(hours).toHaveLength(24);
      for (const [index, hour] of hours.entries()) {
        expect(startOf(hour)).toBe(startOfDay(day) + 3_600 * index);
        expect([dayOfDate(hour), endOf('hour', hour), startOfStep('hour', hour)]).toEqual([day, day, day]);
      }
    }),
    { numRuns: 50 },
  );
  expect(periodLabel('2026-11-21T09', 'hour')).toBe('Sat 2026-11-21, 09:00');
});

test('hours are offered of at most 92 days', () => {
  const start_date = '2026-01-01';
  expect([91, 92].map((days) => hasHours({ start_date, end_date: addDays(start_date, days) }))).toEqual([
    true,
    false,
  ]);
});
