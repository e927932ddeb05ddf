import { addDays } from '#core/figures/calendar.ts';
import { NO_DAYS, toText, withDays } from '#core/store/chain/covered-days.ts';
import { withChanges } from '#core/store/chain/next-coverage.ts';

type Changes = ReturnType<typeof withChanges>;

const FROM = '2026-11-17';

describe('withChanges', () => {
  const none = { revision: 0, changes: [], changes_since: 0 };

  test('lists each changed day with its revision', () => {
    const first = withChanges(none, [FROM], 7);
    expect(first).toEqual({ revision: 1, changes: [{ day: FROM, revision: 1, at: 7 }], changes_since: 0 });
    expect(withChanges(first)).toEqual({ ...first, revision: 2 });
  });

  test('drops the oldest changes, and says since when the list is complete', () => {
    const all = Array.from({ length: 60 }, (_, index) => addDays(FROM, index));
    const last = all.reduce((changes, day) => withChanges(changes, [day], 0), none as Changes);
    expect(last.changes).toHaveLength(48);
    expect(last.changes_since).toBe(60 - 48);
    expect(last.changes.every(({ revision }) => revision > last.changes_since)).toBe(true);
  });
});

/** The size of a stored value in bytes. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  const members = Array.isArray(value) ? value.map((one) => ['', one]) : Object.entries(value as object);
  return members.reduce((sum, [name, one]) => sum + sizeOf(name) + sizeOf(one) + 1, 3);
}

test('a coverage of eleven years in 200 ranges, with all changes, is read for one unit', () => {
  const evidenceOf = (index: number) => (Math.floor(index / 20) % 2 === 0 ? 'proven' : 'checked');
  const days = Array.from({ length: 4_000 }, (_, index) => addDays('2015-07-30', index));
  const covered = withDays(
    NO_DAYS,
    days.map((day, index) => ({ day, evidence: evidenceOf(index), isHeir: false })),
  );
  const none = { revision: 1_790_000_000_000, changes: [], changes_since: 0 };
  const changes = days.reduce(
    (before, day) => withChanges(before, [day], 1_790_000_000_000),
    none as Changes,
  );
  const of = { days: 2_000, first: '2015-07-30', last: '2026-07-12', since: '2026-07-13T00:05:00.000Z' };
  const size = sizeOf({
    ...{ chain: 'WORLD_CHAIN', date: 'coverage', format: 3, days: toText(covered), waiting_days: 10 },
    ...{ from_day: '2015-07-30', through_day: '2026-07-12', last_day: '2026-07-12', begun_at: of.since },
    ...changes,
    summary: { by_evidence: { proven: of, checked: of, archived: of } },
  });
  expect(size).toBeLessThan(4_096);
});
