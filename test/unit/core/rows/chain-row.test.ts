import type { Evidence } from '#core/figures/day-figures.ts';
import { chainRow, type IngestedChain } from '#core/rows/chain-row.ts';
import type { Coverage } from '#core/store/chain/coverage.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ago = (ms: number) => new Date(NOW - ms).toISOString();
const YESTERDAY = '2026-11-20';
const base: IngestedChain = { name: 'BASE', startDate: '2026-11-01' };

const coverage: Coverage = {
  days: '',
  from_day: '2026-11-01',
  through_day: '2026-11-05',
  last_day: '2026-11-18',
  revision: 7,
  changes: [],
  changes_since: 0,
  summary: {
    by_evidence: {
      proven: { days: 15, first: '2026-11-02', last: '2026-11-18', since: '2026-11-19T00:31:00.000Z' },
      checked: { days: 1, first: '2026-11-01', last: '2026-11-01', since: '2026-11-02T00:05:00.000Z' },
    },
  },
  waiting_days: 2,
};

const row = (given: Partial<Parameters<typeof chainRow>[0]> = {}, least?: Evidence) =>
  chainRow(
    { ...base, coverage, conflicts: [], lag: { seconds_behind: 90, seen_at: ago(60_000) }, ...given },
    YESTERDAY,
    NOW,
    least,
  );

test.each([
  ['proven', '2026-11-02', '2026-11-05', 17, { proven: 4, checked: 0 }],
  ['checked', '2026-11-01', '2026-11-05', 16, { proven: 4, checked: 1 }],
  [undefined, '2026-10-31', '2026-11-19', 13, { proven: 4, checked: 1, archived: 3 }],
] as const)(
  'days with weaker evidence than %s are missing',
  (least, first_final_day, last_final_day, missing_days, days_by_evidence) => {
    const daysOf = (days: number, first: string, last: string) => ({
      days,
      first,
      last,
      since: `${last}T23:59:59.000Z`,
    });
    const by_evidence = {
      proven: daysOf(4, '2026-11-02', '2026-11-05'),
      checked: daysOf(1, '2026-11-01', '2026-11-01'),
      archived: daysOf(3, '2026-10-31', '2026-11-19'),
    };
    expect(row({ coverage: { ...coverage, summary: { by_evidence } } }, least)).toMatchObject({
      first_final_day,
      last_final_day,
      missing_days,
      days_by_evidence,
      last_final_at: `${last_final_day}T23:59:59.000Z`,
    });
  },
);

test.each([
  ['no run has ended', undefined],
  ['the last run ended more than an hour ago', { seconds_behind: 90, seen_at: ago(3_600_001) }],
])('the lag is null if %s', (_, lag) => {
  expect(row({ lag }).seconds_behind).toBeNull();
});

test('a conflict shows its day and time, and not its reason, which names nodes', () => {
  const since = Date.parse('2026-11-21T08:00:00Z');
  const reason = 'a.example reports 0x12';
  const conflicts = [
    { day: '2026-11-18', reason, since },
    { reason, since },
  ];
  expect(row({ conflicts }).conflicts).toEqual([
    { date: '2026-11-18', since: '2026-11-21T08:00:00.000Z' },
    { date: null, since: '2026-11-21T08:00:00.000Z' },
  ]);
});
