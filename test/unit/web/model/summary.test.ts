import { addDays } from '#core/figures/calendar.ts';
import { dayRow } from '#test/support/generators/day-rows.ts';
import { parseAmount } from '#web/model/amounts.ts';
import { latestOf, partialPeriods, ranked, totalOf } from '#web/model/summary.ts';
import { parseView } from '#web/model/view.ts';

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

test('skips rows that lack the figure, and counts only the others', () => {
  const days = [
    dayRow('2026-11-19', { gas_used: '7' }),
    dayRow('2026-11-20', { gas_used: '5' }),
    dayRow('2026-11-21'),
  ];
  expect(latestOf(days, 'gas_used')).toMatchObject({ date: '2026-11-20', amount: parseAmount('5') });
  expect(totalOf(days, 'gas_used')).toMatchObject({ sum: parseAmount('12'), count: 2 });
});

test('a typical fee has a latest figure and no total', () => {
  const days = [dayRow('2026-11-21', { median_fee: { from: '0.0002', to: '0.000208' } })];
  expect(latestOf(days, 'median_fee')?.amount).toBe(parseAmount('0.000204'));
  expect(totalOf(days, 'median_fee')).toBeUndefined();
});

test('ranks chains by their mean, and leaves those without a figure last and without a place', () => {
  const total = (sum: string, count: number) => ({
    sum: parseAmount(sum),
    count,
    peak: { date: '2026-11-01', amount: 0n },
  });
  const cards = [
    { chain: 'BASE', latest: undefined, total: undefined },
    { chain: 'BSC', latest: undefined, total: total('30', 30) },
    { chain: 'POLYGON', latest: undefined, total: total('27', 9) },
  ] as const;
  expect(ranked(cards).map(({ chain, rank }) => [chain, rank])).toEqual([
    ['POLYGON', { place: 1, share: 0.75 }],
    ['BSC', { place: 2, share: 0.25 }],
    ['BASE', undefined],
  ]);
});

describe('periods that lack days', () => {
  const { view } = parseView('', '2026-11-22');
  const monthly = { ...view, interval: 'month', start_date: '2026-10-15', end_date: '2026-11-21' } as const;
  const daysOf = (first: string, count: number) =>
    Array.from({ length: count }, (_, index) => dayRow(addDays(first, index), { fees: '2' }));

  test('have the sum of their days, and the number of days of the period', () => {
    const days = daysOf('2026-11-01', 20);
    expect(partialPeriods({ chain: 'BASE', days, whole: new Set() }, monthly)).toEqual([
      { date: '2026-11-01', amount: parseAmount('40'), have: 20, of: 30 },
    ]);
  });

  test('count from the first day of the chain', () => {
    const days = daysOf('2023-06-15', 3);
    const range = { ...monthly, start_date: '2023-06-01', end_date: '2023-06-30' };
    expect(partialPeriods({ chain: 'BASE', days, whole: new Set() }, range)).toMatchObject([
      { have: 3, of: 16 },
    ]);
  });

  test('are none where the period is whole, the range cuts off its start, or nothing is summed', () => {
    const days = daysOf('2026-10-15', 30);
    const of = (given: object, whole = new Set<string>()) =>
      partialPeriods({ chain: 'BASE', days, whole }, { ...monthly, ...given }).map(({ date }) => date);
    expect(of({})).toEqual(['2026-11-01']);
    expect(of({}, new Set(['2026-11-01']))).toEqual([]);
    expect(of({ interval: 'day' })).toEqual([]);
    expect(of({ figure: 'median_fee' })).toEqual([]);
  });
});
