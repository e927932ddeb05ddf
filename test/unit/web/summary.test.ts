import { addDays } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/day-rows.ts';
import { parseAmount } from '#web/amounts.ts';
import { latestOf, totalOf } from '#web/summary.ts';

/** 31 days: fees of 1 on the first, 2 a week before the last, 4 the day before it, 5 on the last. */
const rows = Array.from({ length: 31 }, (_, index) =>
  dayRow(addDays('2026-10-22', index), { fees: { 0: '1', 23: '2', 29: '4', 30: '5' }[index] ?? '3' }),
);

test('compares the latest day with the days 1, 7 and 30 days before', () => {
  expect(latestOf(rows, 'fees')).toMatchObject({
    date: '2026-11-21',
    changes: { day: 0.25, week: 1.5, month: 4 },
  });
});

test('compares with no day that is missing', () => {
  const gap = rows.filter(({ date }) => date !== '2026-11-20');
  expect(latestOf(gap, 'fees')?.changes).toEqual({ day: undefined, week: 1.5, month: 4 });
  expect(latestOf([], 'fees')).toBeUndefined();
});

test('adds up a range exactly, and finds its peak', () => {
  const days = [
    dayRow('2026-11-01', { fees: '0.1' }),
    dayRow('2026-11-02', { fees: '9007199254740993.000000000000000001' }),
    dayRow('2026-11-03', { fees: '0.2' }),
  ];
  expect(totalOf(days, 'fees')).toEqual({
    sum: parseAmount('9007199254740993.300000000000000001'),
    count: 3,
    peak: { date: '2026-11-02', amount: parseAmount('9007199254740993.000000000000000001') },
  });
  expect(totalOf([], 'fees')).toBeUndefined();
});

test('adds up and compares only days that state the figure', () => {
  const days = [
    dayRow('2026-11-01', { gas_used: '2' }),
    dayRow('2026-11-02'),
    dayRow('2026-11-03', { gas_used: '5' }),
  ];
  expect(totalOf(days, 'gas_used')).toMatchObject({ sum: parseAmount('7'), count: 2 });
  expect(latestOf(days, 'gas_used')?.changes.day).toBeUndefined();
  expect(latestOf(days.slice(0, 2), 'gas_used')).toBeUndefined();
});
