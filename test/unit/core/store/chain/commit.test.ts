import { reportedBy } from '#core/figures/block.ts';
import { addDays } from '#core/figures/calendar.ts';
import type { DayFigures, Provenance } from '#core/figures/day-figures.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { beginCoverage, commit, rebuildCoverage } from '#core/store/chain/commit.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { toDayItem } from '#core/store/days/day-item.ts';
import { discardWaitingDay, putWaitingDay } from '#core/store/days/waiting-days.ts';
import { dayWrites } from '#core/store/days/write-day.ts';
import { blockAt, dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { racingTable } from '#test/support/tables/racing-table.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
const FROM = '2026-11-18';

const put = (day: string, given: Partial<Provenance> = {}, figures: Partial<DayFigures> = {}) =>
  putDay(store(), dayFigures(day, figures), provenance(given));
const coverage = () => getCoverage(store());

beforeEach(() => beginCoverage(store(), FROM));

test.each([
  ['none', [], '2026-11-17'],
  ['the first day', ['2026-11-18'], '2026-11-18'],
  ['contiguous days', ['2026-11-18', '2026-11-19', '2026-11-20'], '2026-11-20'],
  ['a missing day', ['2026-11-18', '2026-11-20'], '2026-11-18'],
  ['days whose gap is filled', ['2026-11-18', '2026-11-20', '2026-11-19'], '2026-11-20'],
  ['all but the first day', ['2026-11-19', '2026-11-20'], '2026-11-17'],
])('through_day with %s stored is the last contiguous day', async (_, days, through) => {
  for (const day of days) await put(day);
  expect(await coverage()).toMatchObject({ through_day: through, revision: 1 + days.length });
});

test('counts all days by evidence, also those before the first day to ingest', async () => {
  await put('2026-11-15');
  await put('2026-11-20', { ingestedAt: new Date('2026-11-21T00:06:00Z') });
  await put('2026-11-18', { evidence: 'checked' });
  expect((await coverage())?.summary).toEqual({
    by_evidence: {
      proven: { days: 2, first: '2026-11-15', last: '2026-11-20', since: '2026-11-21T00:06:00.000Z' },
      checked: { days: 1, first: '2026-11-18', last: '2026-11-18', since: expect.any(String) },
    },
  });
});

test('is what a rebuild from the stored days gives, whatever was committed', async () => {
  for (const day of ['2026-11-19', '2026-11-15', '2026-11-21', '2026-11-18']) {
    await put(day, { evidence: day < '2026-11-18' ? 'checked' : 'proven', finality: reportedBy([]) });
    const { revision: _, changes: _changes, changes_since: _since, ...before } = (await coverage()) ?? {};
    await rebuildCoverage(store(), FROM, { revision: 1_000 });
    expect(await coverage()).toMatchObject(before);
  }
});

test('names the day that may inherit the finality of the day after it', async () => {
  const [day, next] = [FROM, addDays(FROM, 1)];
  const linked = { parentHash: blockAt(9).hash };
  await put(next, { finality: { kind: 'sync committee', slot: 1, root: '0x1' } }, linked);
  await put(day, { finality: reportedBy(['a.example']) }, { last: blockAt(9) });
  expect((await coverage())?.days).toBe(`${FROM} Pp`);
});

test('counts a day that waits once, and not after it is to be read again', async () => {
  const waiting = { progress: startDayProgress(FROM, blockAt(4)), next: blockAt(5), since: 0 };
  const commitOne = (write: ReturnType<typeof putWaitingDay>) =>
    commit(store(), async () => ({ writes: [write], result: undefined }));
  for (const _ of [1, 2]) await commitOne(putWaitingDay(store(), waiting));
  expect(await coverage()).toMatchObject({ waiting_days: 1 });
  await commitOne(discardWaitingDay(store(), FROM));
  expect(await coverage()).toMatchObject({ waiting_days: 0 });
});

describe('beginCoverage', () => {
  const begunAt = '2026-11-19T08:00:00.000Z';

  test('writes nothing if the chain has begun with the same day', async () => {
    await beginCoverage(store(), FROM);
    expect(await coverage()).toMatchObject({ from_day: FROM, revision: 1, changes: [], changes_since: 0 });
    await beginCoverage(store(), '2026-11-17');
    expect(await coverage()).toMatchObject({ from_day: '2026-11-17', revision: 2 });
  });

  test('keeps the time of the first run', async () => {
    for (const time of [begunAt, '2026-11-20T08:00:00.000Z', undefined]) {
      await beginCoverage(store(), FROM, time);
      expect(await coverage()).toMatchObject({ begun_at: begunAt, revision: 2 });
    }
    await beginCoverage(store(), '2026-11-17', '2026-11-20T08:00:00.000Z');
    expect(await coverage()).toMatchObject({ begun_at: begunAt, revision: 3 });
  });
});

describe('a commit that another was faster than', () => {
  test('is decided again from what the table has then', async () => {
    const seen: number[] = [];
    const racing = racingTable(table(), ({ date }) => date === FROM, { before: () => put('2026-11-19') });
    await commit({ ...store(), table: racing }, async (revision) => {
      seen.push(revision);
      const item = toDayItem(dayFigures(FROM), provenance(), 1);
      return { writes: dayWrites(store(), item, undefined, { position: revision }), result: undefined };
    });
    expect(seen).toEqual([2, 3]);
    expect(await coverage()).toMatchObject({ through_day: '2026-11-19', revision: 3 });
  });

  test('waits twice as long after each attempt, a second at most, and gives up after 1,000', async () => {
    const pauses: number[] = [];
    const losing = {
      ...table(),
      commit: async () => false,
      pause: async (ms: number) => void pauses.push(ms),
    };
    const writes = [discardWaitingDay(store(), FROM)];
    await expect(
      commit({ ...store(), table: losing }, async () => ({ writes, result: undefined })),
    ).rejects.toThrow('BSC: other writers were faster 1000 times. Try again.');
    expect(pauses.slice(0, 8)).toEqual([20, 40, 80, 160, 320, 640, 1_000, 1_000]);
    expect(pauses).toHaveLength(1_000);
  });

  test('writes nothing if it is not needed any more', async () => {
    const racing = racingTable(table(), ({ date }) => date === FROM, { before: () => put(FROM) });
    expect(await putDay({ ...store(), table: racing }, dayFigures(FROM), provenance())).toBe(false);
    expect(await coverage()).toMatchObject({ revision: 2 });
  });
});

describe('rebuildCoverage', () => {
  const begun_at = '2026-11-01T00:00:00.000Z';

  test('keeps the exported revision in a table without a coverage, also when it is repeated', async () => {
    await put(FROM);
    await table().deleteItem({ chain: 'BSC', date: 'coverage' });
    for (let times = 1; times <= 2; times++) {
      await rebuildCoverage(store(), FROM, { revision: 7, begun_at });
      expect(await coverage()).toMatchObject({ last_day: FROM, revision: 7, begun_at });
    }
  });

  test('changes nothing if the coverage is right, and begins with revision 1 if there is none', async () => {
    await rebuildCoverage(store(), FROM);
    expect(await coverage()).toMatchObject({ revision: 1, changes_since: 0 });
    await table().deleteItem({ chain: 'BSC', date: 'coverage' });
    await rebuildCoverage(store(), FROM);
    expect(await coverage()).toMatchObject({ revision: 1, changes_since: 1 });
  });

  test.each([
    [2, 7],
    [7, 8],
    [9, 10],
  ])('makes revision %i %i, and caches read all days again', async (own, revision) => {
    await rebuildCoverage(store(), FROM, { revision: own });
    const item = toDayItem(dayFigures('2026-11-19'), provenance(), 1);
    await table().commit(dayWrites(store(), item, undefined, {}));
    await rebuildCoverage(store(), '2026-11-17', { revision: 7, begun_at });
    expect(await coverage()).toMatchObject({
      from_day: '2026-11-17',
      last_day: '2026-11-19',
      revision,
      changes: [],
      changes_since: revision,
    });
  });
});
