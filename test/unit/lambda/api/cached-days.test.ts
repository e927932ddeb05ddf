import fc from 'fast-check';
import { addDays, countDays, type UtcDay } from '#core/figures/calendar.ts';
import { type DayRange, periodBounds } from '#core/figures/complete-periods.ts';
import type { Coverage } from '#core/store/chain/coverage.ts';
import { missingRanges, staleRanges, toCachedDays } from '#lambda/api/cached-days.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';

const row = (date: UtcDay, value = 1) => ({ date, transaction_count: value });
const range = (first: UtcDay, last = first): DayRange => ({ first, last });
const chain = { firstDay: '2015-07-30' };

const day = fc.nat(20).map((days) => addDays('2026-11-01', days));
const days = fc.uniqueArray(day).map((list) => list.toSorted());
const dayRange = fc.tuple(day, fc.nat(9)).map(([first, more]) => range(first, addDays(first, more)));
const listed = ({ first, last }: DayRange): UtcDay[] =>
  Array.from({ length: countDays(first, last) }, (_, index) => addDays(first, index));

test('missing ranges and rows together are every day of the range, once', () => {
  fc.assert(
    fc.property(dayRange, days, (all, final) => {
      const rows = final.filter((each) => all.first <= each && each <= all.last);
      const missing = missingRanges(
        all,
        rows.map((each) => row(each)),
      ).flatMap(listed);
      expect([...missing, ...rows].toSorted()).toEqual(listed(all));
    }),
  );
});

test('row bounds select exactly the rows of a range', () => {
  fc.assert(
    fc.property(days, dayRange, (final, wanted) => {
      const [begin, end] = periodBounds(
        final.map((each) => range(each)),
        wanted,
      );
      expect(final.slice(begin, end)).toEqual(
        final.filter((each) => wanted.first <= each && each <= wanted.last),
      );
    }),
  );
});

describe('stale ranges', () => {
  const days = ['2026-11-01', '2026-11-02', '2026-11-04'].map((each) => row(each));
  const cached = (given = {}) =>
    toCachedDays(transactionCount.day, chain, {
      revision: 5,
      range: range('2026-11-01', '2026-11-04'),
      days,
      ...given,
    });
  const coverage = (given: Partial<Coverage>): Coverage => ({
    from: '2026-11-01',
    through: '2026-11-02',
    last: '2026-11-04',
    revision: 6,
    changes: [],
    changesSince: 0,
    waitingDays: 0,
    ...given,
  });

  test('include days that were missing, which may be final by now', () => {
    expect(staleRanges(cached(), coverage({}))).toEqual([range('2026-11-03')]);
  });

  test('include cached days that were restated since, and no others', () => {
    const changes = [
      { day: '2026-11-01', revision: 5 },
      { day: '2026-11-02', revision: 6 },
      { day: '2026-11-09', revision: 6 },
    ];
    expect(staleRanges(cached(), coverage({ changes }))).toEqual([range('2026-11-02'), range('2026-11-03')]);
  });

  test('are undefined when the list of changes is too short, or the table was replaced', () => {
    expect(staleRanges(cached(), coverage({ revision: 9, changesSince: 6 }))).toBeUndefined();
    expect(staleRanges(cached(), coverage({ revision: 9, changesSince: 5 }))).toEqual([range('2026-11-03')]);
    expect(staleRanges(cached(), coverage({ revision: 4 }))).toBeUndefined();
  });
});
