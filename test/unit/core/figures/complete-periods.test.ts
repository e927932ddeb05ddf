import { addDays } from '#core/figures/calendar.ts';
import { completePeriods, periodBounds } from '#core/figures/complete-periods.ts';

const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ date: addDays(first, index) }));

describe('completePeriods', () => {
  // 2026-11-16 is a Monday.
  const WEEK = daysFrom('2026-11-16', 7);

  test('returns a period that has each of its days', () => {
    const period = { date: '2026-11-16', first: '2026-11-16', last: '2026-11-22', days: WEEK };
    expect(completePeriods(WEEK, 'week', '2015-07-30')).toEqual([period]);
    expect(completePeriods([...daysFrom('2026-11-15', 1), ...WEEK], 'week', '2015-07-30')).toEqual([period]);
    for (let missing = 0; missing < 7; missing++)
      expect(completePeriods(WEEK.toSpliced(missing, 1), 'week', '2015-07-30')).toEqual([]);
  });

  test('needs no day before the first one of the chain', () => {
    expect(completePeriods(WEEK.slice(2), 'week', '2026-11-18')).toEqual([
      { date: '2026-11-16', first: '2026-11-18', last: '2026-11-22', days: WEEK.slice(2) },
    ]);
    expect(completePeriods(WEEK.slice(2), 'week', '2026-11-17')).toEqual([]);
  });
});

describe('periodBounds', () => {
  const periods = completePeriods(daysFrom('2026-11-02', 28), 'week', '2015-07-30');

  test.each([
    ['2026-11-02', '2026-11-29', 0, 4],
    ['2026-11-03', '2026-11-28', 1, 3],
    ['2026-11-09', '2026-11-15', 1, 2],
    ['2026-11-10', '2026-11-14', 2, 1],
    ['2026-12-01', '2026-12-31', 4, 4],
    ['2026-10-01', '2026-10-31', 0, 0],
  ])('finds the periods from %s to %s', (first, last, begin, end) => {
    expect(periodBounds(periods, { first, last })).toEqual([begin, end]);
  });
});
