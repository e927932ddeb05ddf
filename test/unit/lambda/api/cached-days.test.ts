import { addDays } from '#core/figures/calendar.ts';
import type { DayRange } from '#core/figures/complete-periods.ts';
import type { Coverage } from '#core/store/chain/coverage.ts';
import {
  enclosingRange,
  replaceDays,
  staleRanges,
  toCachedDays,
  uncachedRanges,
} from '#lambda/api/cached-days.ts';
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

  test('are none at the same revision, and while nothing is cached', () => {
    const changes = [{ day: '2026-11-02', revision: 6, at: 0 }];
    expect(staleRanges(cached, coverage({ revision: 5 }))).toEqual([]);
    const empty = { ...cached, range: undefined, days: [] };
    expect(staleRanges(empty, coverage({ changes }))).toEqual([]);
  });

  test('of more than 8 are the whole range, since one read of it costs less', () => {
    const all = Array.from({ length: 30 }, (_, index) => ({
      date: addDays('2026-11-01', index),
      transaction_count: 1,
    }));
    const month = { ...held, range: range('2026-11-01', '2026-11-30'), days: all };
    const whole = toCachedDays(transactionCount.day, { firstDay: '2015-07-30' }, month);
    const changed = (count: number) =>
      all.slice(-count).map(({ date }) => ({ day: date, revision: 6, at: 0 }));
    expect(staleRanges(whole, coverage({ changes: changed(8) }))).toEqual(
      all.slice(-8).map(({ date }) => range(date)),
    );
    expect(staleRanges(whole, coverage({ changes: changed(9) }))).toEqual([month.range]);
  });
});

describe('where days 10 to 20 are cached', () => {
  const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}`;
  const days = (first: number, last: number) => range(day(first), day(last));

  test.each([
    [
      'those before and after them',
      [5, 25],
      [
        [5, 9],
        [21, 25],
      ],
      [5, 25],
    ],
    ['those before them', [5, 15], [[5, 9]], [5, 20]],
    ['those up to them, without a gap', [5, 7], [[5, 9]], [5, 20]],
    ['the next one', [15, 21], [[21, 21]], [10, 21]],
    ['none', [10, 20], [], [10, 20]],
    ['none within', [12, 18], [], [10, 20]],
  ] as const)('%s are read for days %j', (_, [first, last], read, [begin, end]) => {
    const wanted = days(first, last);
    expect(uncachedRanges(days(10, 20), wanted)).toEqual(read.map(([from, to]) => days(from, to)));
    expect(enclosingRange(days(10, 20), wanted)).toEqual(days(begin, end));
  });

  test('all wanted days are read if none is', () => {
    expect(uncachedRanges(undefined, days(5, 7))).toEqual([days(5, 7)]);
    expect(enclosingRange(undefined, days(5, 7))).toEqual(days(5, 7));
  });
});

test('replaceDays replaces exactly the days of the ranges that were read, and sorts them', () => {
  const dated = (number: number, text: string) => ({ date: `2026-11-0${number}`, text });
  const old = [1, 2, 3, 4, 5].map((number) => dated(number, 'old'));
  const read = [
    [range('2026-11-04'), []],
    [range('2026-11-02', '2026-11-03'), [dated(3, 'new'), dated(2, 'new')]],
  ] as const;
  expect(replaceDays(old, read)).toEqual([
    dated(1, 'old'),
    dated(2, 'new'),
    dated(3, 'new'),
    dated(5, 'old'),
  ]);
});
