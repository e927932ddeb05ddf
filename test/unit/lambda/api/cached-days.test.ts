import type { DayRange } from '#core/figures/complete-periods.ts';
import type { Coverage } from '#core/store/chain/coverage.ts';
import { staleRanges, toCachedDays } from '#lambda/api/cached-days.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';

const range = (first: string, last = first): DayRange => ({ first, last });

describe('stale ranges', () => {
  const days = ['2026-11-01', '2026-11-02', '2026-11-04'].map((date) => ({ date, transaction_count: 1 }));
  const held = { coverage: undefined, revision: 5, range: range('2026-11-01', '2026-11-04'), days };
  const cached = toCachedDays(transactionCount.day, { firstDay: '2015-07-30' }, held);
  const coverage = (given: Partial<Coverage>): Coverage => ({
    days: '',
    from_day: '2026-11-01',
    through_day: '2026-11-02',
    last_day: '2026-11-04',
    revision: 6,
    changes: [],
    changes_since: 0,
    waiting_days: 0,
    ...given,
  });

  test('include cached days that were restated since, and no others', () => {
    const changes = [
      { day: '2026-11-01', revision: 5, at: 0 },
      { day: '2026-11-02', revision: 6, at: 0 },
      { day: '2026-11-09', revision: 6, at: 0 },
    ];
    expect(staleRanges(cached, coverage({ changes }))).toEqual([range('2026-11-02'), range('2026-11-03')]);
  });

  test('are undefined when the list of changes is too short, or the table was replaced', () => {
    expect(staleRanges(cached, coverage({ revision: 9, changes_since: 6 }))).toBeUndefined();
    expect(staleRanges(cached, coverage({ revision: 9, changes_since: 5 }))).toEqual([range('2026-11-03')]);
    expect(staleRanges(cached, coverage({ revision: 4 }))).toBeUndefined();
  });
});
