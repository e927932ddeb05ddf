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
    const shown = row({ coverage: { ...coverage, summary: { by_evidence } } }, least);
    expect(shown).toMatchObject({
      first_final_day,
      last_final_day,
      missing_days,
      last_final_at: `${last_final_day}T23:59:59.000Z`,
    });
    expect(shown.days_by_evidence).toEqual(days_by_evidence);
  },
);

describe('the missing days', () => {
  const read = (days: number, first: string) => {
    const proven = { days, first, last: YESTERDAY, since: ago(0) };
    return { ...coverage, summary: { by_evidence: { proven } } };
  };

  test('are none when every day up to yesterday is final', () => {
    expect(row({ coverage: read(20, '2026-11-01') }).missing_days).toBe(0);
    expect(row({ coverage: read(19, '2026-11-02') }).missing_days).toBe(1);
  });

  test('are counted from the first day of the coverage if no start is configured', () => {
    const from = { startDate: undefined, coverage: { ...read(19, '2026-11-02'), from_day: '2026-10-31' } };
    expect(row(from).missing_days).toBe(2);
  });

  test('are counted from the first day of the chain if the start is before it', () => {
    expect(
      chainRow(
        { ...base, startDate: '2020-01-01', coverage: undefined, conflicts: [], lag: undefined },
        '2023-06-16',
        NOW,
      ),
    ).toMatchObject({ first_day: '2023-06-15', missing_days: 2 });
  });
});

test('counts the days that wait, and an archived day only where there is one', () => {
  expect(row()).toMatchObject({ waiting_days: 2, days_by_evidence: { proven: 15, checked: 1 } });
  expect(row({ coverage: undefined })).toMatchObject({ waiting_days: 0 });
  const archived = { days: 1, first: '2026-11-18', last: '2026-11-18', since: ago(0) };
  const days = row({ coverage: { ...coverage, summary: { by_evidence: { archived } } } }).days_by_evidence;
  expect(days).toEqual({ proven: 0, checked: 0, archived: 1 });
});

test('counts nothing while the coverage cannot be read', () => {
  expect(row({ coverage: 'broken' })).toMatchObject({
    missing_days: null,
    waiting_days: null,
    days_by_evidence: null,
  });
});

test.each([
  ['no run has ended', undefined],
  ['the last run ended more than an hour ago', { seconds_behind: 90, seen_at: ago(3_600_001) }],
])('the lag is null if %s', (_, lag) => {
  expect(row({ lag }).seconds_behind).toBeNull();
});

test('the lag is that of a run that ended an hour ago at most', () => {
  for (const age of [60_000, 3_600_000])
    expect(row({ lag: { seconds_behind: 90, seen_at: ago(age) } }).seconds_behind).toBe(90);
});

test('the lag is null while hosts dispute the final block, and no other conflict changes it', () => {
  const since = NOW;
  expect(row({ conflicts: [{ reason: '', since }] }).seconds_behind).toBeNull();
  const others = [
    { day: '2026-11-18', reason: '', since },
    { about: 'finality', reason: '', since },
  ] as const;
  expect(row({ conflicts: others }).seconds_behind).toBe(90);
});

test('missing proofs of finality are a conflict after an hour, and every other problem at once', () => {
  const countAfter = (ms: number, about?: 'finality') =>
    row({ conflicts: [{ ...(about && { about }), reason: '', since: NOW - ms }] }).conflicts.length;
  expect([countAfter(3_599_999, 'finality'), countAfter(3_600_000, 'finality'), countAfter(0)]).toEqual([
    ...[0, 1, 1],
  ]);
});

test('only invented data is marked as a sample', () => {
  expect(row({ isSample: true })).toMatchObject({ sample: true });
  expect(row()).not.toHaveProperty('sample');
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
