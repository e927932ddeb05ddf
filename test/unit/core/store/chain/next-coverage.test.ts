import { addDays } from '#core/figures/calendar.ts';
import { beginCoverage } from '#core/store/chain/commit.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { fromText, heirsIn, NO_DAYS, toText, withDays } from '#core/store/chain/covered-days.ts';
import { coverageAfter, mayInherit, withChanges } from '#core/store/chain/next-coverage.ts';
import { toDayItem } from '#core/store/days/day-item.ts';
import { dayWrites } from '#core/store/days/write-day.ts';
import { dayKey } from '#core/store/table/keys.ts';
import type { Write } from '#core/store/table/table.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

type Changes = ReturnType<typeof withChanges>;

const { table, store } = useMemoryStore('BSC');
const FROM = '2026-11-17';

describe('coverageAfter', () => {
  const put = (day: string) =>
    dayWrites(store(), toDayItem(dayFigures(day), provenance(), 1), undefined, { isPriceable: false });
  const afterWrites = async (writes: readonly Write[]) =>
    coverageAfter(store(), await getCoverage(store()), writes);

  beforeEach(() => beginCoverage(store(), FROM));

  test('reads the days next to those that change, and no others', async () => {
    const broken = (days: number) =>
      table().putIf({ ...dayKey(store(), addDays(FROM, days)), evidence: 'unknown' });
    for (const days of [-2, 3]) await broken(days);
    const changed = [...put(FROM), ...put(addDays(FROM, 1))];
    expect(await afterWrites(changed)).toMatchObject({ through_day: addDays(FROM, 1) });
    for (const days of [-1, 2]) {
      await broken(days);
      await expect(afterWrites(changed)).rejects.toThrow('cannot be read');
      await table().commit([{ delete: dayKey(store(), addDays(FROM, days)) }]);
    }
  });

  test('keeps the days if none changes, and reads none', async () => {
    await table().putIf({ ...dayKey(store(), FROM), evidence: 'unknown' });
    const before = await getCoverage(store());
    expect(await afterWrites([])).toEqual({ ...before, revision: 2 });
  });

  test('lets the day before a written one inherit from it', async () => {
    await putDay(store(), dayFigures(FROM), provenance());
    const finality = { kind: 'sync committee', slot: 1, root: '0x1' } as const;
    const next = toDayItem(dayFigures(addDays(FROM, 1)), provenance({ finality }), 1);
    const { days } = await afterWrites(dayWrites(store(), next, undefined, {}));
    expect(heirsIn(fromText(days) ?? NO_DAYS)).toEqual([FROM]);
  });

  test('has no summary before a day is final', async () => {
    expect((await afterWrites([])).summary).toBeUndefined();
    expect((await afterWrites(put(FROM))).summary).toMatchObject({ by_evidence: { proven: { days: 1 } } });
  });

  test('is final since the first revision of the last day', async () => {
    const [first, second, third] = ['2026-11-18', '2026-11-19', '2026-11-20'].map(
      (day) => `${day}T08:00:00.000Z`,
    );
    const restated = [{ ingested_at: first }, { ingested_at: second }];
    const writes = put(FROM).map((write) =>
      'put' in write && write.put.date === FROM
        ? { ...write, put: { ...write.put, ingested_at: third, restated } }
        : write,
    );
    expect((await afterWrites(writes)).summary?.by_evidence.proven?.since).toBe(first);
  });

  test('needs a coverage', async () => {
    await expect(coverageAfter(store(), undefined, [])).rejects.toThrow('BSC has no coverage');
  });
});

describe('mayInherit', () => {
  const day: Parameters<typeof mayInherit>[0] = {
    ...{ date: FROM, evidence: 'proven', parent_hash: '0x0', last_block: { hash: '0x1' }, restated: [] },
    ...{ confirmed_by: ['a.example'], links_to: undefined, ingested_at: '2026-11-18T00:05:00Z' },
  };
  const unreported = { ...day, confirmed_by: [] };
  const next = { ...day, parent_hash: '0x1', links_to: { slot: 1 } };

  test.each([
    ['has its own proof of finality, from a reported day', day, next, true],
    ['has reports, from a day without any', unreported, { ...day, parent_hash: '0x1' }, true],
    ['is not stored', day, undefined, false],
    ['has reports only, as the day itself', day, { ...next, links_to: undefined }, false],
    ['has its own proof, as the day itself', { ...day, links_to: { slot: 0 } }, next, false],
    ['follows another block', day, { ...next, parent_hash: '0x2' }, false],
    ['is archived', day, { ...next, evidence: 'archived' }, false],
    ['follows an archived day', { ...day, evidence: 'archived' }, next, false],
  ] as const)('whether a day inherits from the day after it: that one %s', (_, before, after, may) => {
    expect(mayInherit(before, after)).toBe(may);
  });
});

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
