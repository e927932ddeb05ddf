import fc from 'fast-check';
import { addDays, endOfPeriod, intervals, startOfPeriod } from '#core/figures/calendar.ts';
import { firstDayIn, hoursOf, lastDayIn, periodLabel, periodsBetween, startOf } from '#web/model/periods.ts';

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

test('the hours of a day begin an hour apart, and lie in it', () => {
  const hours = hoursOf('2026-11-10');
  expect(hours).toHaveLength(24);
  for (const [index, hour] of hours.entries()) {
    expect(startOf(hour)).toBe(startOf('2026-11-10') + index * 3_600);
    expect([firstDayIn(hour), lastDayIn(hour, 'hour')]).toEqual(['2026-11-10', '2026-11-10']);
  }
});

test.each([
  ['hour', '2026-11-10T09', '2026-11-10 09:00 UTC'],
  ['day', '2026-11-10', 'Tue 2026-11-10'],
  ['week', '2026-11-09', 'week of 2026-11-09'],
  ['month', '2026-11-01', 'Nov 2026'],
  ['quarter', '2026-10-01', 'Q4 2026'],
  ['year', '2026-01-01', '2026'],
] as const)('labels the %s of %s as %s', (interval, start, label) => {
  expect(periodLabel(start, interval)).toBe(label);
});
