import fc from 'fast-check';
import { daysBetween, formatRange, groupIntoRanges, missingDays } from '#cli/day-ranges.ts';
import { addDays } from '#core/figures/calendar.ts';

test('groups contiguous days, also across months', () => {
  expect(groupIntoRanges(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-03']).map(formatRange)).toEqual([
    '2026-02-27 to 2026-03-01',
    '2026-03-03',
  ]);
});

test('ranges contain exactly the missing days and are never adjacent', () => {
  const first = '2026-01-01';
  const numbers = fc.uniqueArray(fc.integer({ min: -5, max: 70 }));
  fc.assert(
    fc.property(numbers, fc.integer({ min: 0, max: 65 }), (known, length) => {
      const last = addDays(first, length - 1);
      const knownDays = known.map((number) => addDays(first, number));
      const missing = missingDays(first, last, knownDays);
      const ranges = groupIntoRanges(missing);
      const all = ranges.flatMap(({ start_date, end_date }) => daysBetween(start_date, end_date));
      expect(all).toEqual(missing);
      expect(ranges.reduce((sum, { days }) => sum + days, 0)).toBe(missing.length);
      for (const [index, { end_date }] of ranges.entries()) {
        expect(ranges[index + 1]?.start_date ?? '9999').not.toBe(addDays(end_date, 1));
      }
      const inRange = knownDays.filter((day) => day >= first && day <= last);
      expect([...missing, ...inRange].toSorted()).toEqual(daysBetween(first, last));
    }),
  );
});
