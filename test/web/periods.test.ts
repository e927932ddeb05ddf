import fc from 'fast-check';
import { addDays } from '../../lambda/chains/utc-day.ts';
import {
  endOfPeriod,
  type Interval,
  intervals,
  periodLabel,
  periodsBetween,
  startOfPeriod,
} from '../../web/periods.ts';

const intervalNames = Object.keys(intervals) as Interval[];
const days = fc.nat(8_000).map((count) => addDays('2015-07-30', count));

test.each([
  ['day', '2026-11-22', '2026-11-22'],
  ['week', '2026-11-16', '2026-11-22'],
  ['month', '2026-11-01', '2026-11-30'],
  ['quarter', '2026-10-01', '2026-12-31'],
  ['year', '2026-01-01', '2026-12-31'],
] as const)('Sunday 2026-11-22 lies in the %s from %s to %s', (interval, start, end) => {
  expect(startOfPeriod('2026-11-22', interval)).toBe(start);
  expect(endOfPeriod(start, interval)).toBe(end);
});

test('a leap February has 29 days', () => {
  expect(endOfPeriod('2024-02-01', 'month')).toBe('2024-02-29');
  expect(endOfPeriod('2023-02-01', 'month')).toBe('2023-02-28');
});

test('periods follow each other without a gap, and each day lies in exactly one', () => {
  fc.assert(
    fc.property(days, fc.nat(900), fc.constantFrom(...intervalNames), (first, count, interval) => {
      const starts = periodsBetween(first, addDays(first, count), interval);
      expect(starts[0]).toBe(startOfPeriod(first, interval));
      for (const [index, start] of starts.entries()) {
        expect(startOfPeriod(endOfPeriod(start, interval), interval)).toBe(start);
        if (index > 0) expect(addDays(endOfPeriod(starts[index - 1] ?? '', interval), 1)).toBe(start);
      }
      expect(endOfPeriod(starts.at(-1) ?? '', interval) >= addDays(first, count)).toBe(true);
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
