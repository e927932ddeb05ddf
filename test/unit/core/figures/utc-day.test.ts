import fc from 'fast-check';
import { addDays, countDays, dayOf, earlier, later, startOfDay } from '#core/figures/utc-day.ts';

const seconds = fc.integer({ min: 0, max: 4_000_000_000 });

test('midnight belongs to the day that it starts', () => {
  expect(dayOf(startOfDay('2026-03-01'))).toBe('2026-03-01');
  expect(dayOf(startOfDay('2026-03-01') - 1)).toBe('2026-02-28');
});

test('dayOf returns the day between whose midnights a second lies', () => {
  fc.assert(
    fc.property(seconds, (second) => {
      const day = dayOf(second);
      expect(startOfDay(day)).toBeLessThanOrEqual(second);
      expect(startOfDay(addDays(day, 1))).toBeGreaterThan(second);
    }),
  );
});

test('addDays crosses leap days in both directions', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(countDays('2024-01-01', '2024-12-31')).toBe(366);
});

test('countDays includes both ends and returns 0 for a reversed range', () => {
  expect(countDays('2026-11-20', '2026-11-20')).toBe(1);
  expect(countDays('2026-11-21', '2026-11-20')).toBe(0);
  expect(countDays('2026-11-30', '2026-11-20')).toBe(0);
});

test('earlier and later accept any order', () => {
  expect(earlier('2026-01-02', '2025-12-31')).toBe('2025-12-31');
  expect(later('2026-01-02', '2025-12-31')).toBe('2026-01-02');
  expect(later('2025-12-31', '2026-01-02')).toBe('2026-01-02');
});
