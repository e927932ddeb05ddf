import fc from 'fast-check';
import { chainOf } from '#core/chains/chains.ts';
import {
  keepFirstDay,
  newFirstDay,
  plannedFirstDay,
  refreshCoverage,
  restoreCoverage,
  withChanges,
} from '#core/days/refresh-coverage.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { putDay } from '#core/store/days/write-day.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
type Changes = ReturnType<typeof withChanges>;
const FROM = '2026-11-18';

const put = (day: string, given: Parameters<typeof provenance>[0] = {}) =>
  putDay(store(), dayFigures(day), provenance(given));

test.each([
  ['none', [], '2026-11-17'],
  ['the first day', ['2026-11-18'], '2026-11-18'],
  ['contiguous days', ['2026-11-18', '2026-11-19', '2026-11-20'], '2026-11-20'],
  ['a missing day', ['2026-11-18', '2026-11-20'], '2026-11-18'],
  ['all but the first day', ['2026-11-19', '2026-11-20'], '2026-11-17'],
])('through_day with %s final is the last contiguous day', async (_, days, through) => {
  for (const day of days) await put(day);
  expect((await refreshCoverage(store(), FROM)).through_day).toBe(through);
});

test('a coverage that was lost counts the final days again as soon as a run begins', async () => {
  for (const day of ['2026-11-18', '2026-11-19', '2026-11-21']) await put(day);
  await keepFirstDay(store(), chainOf('BSC'), FROM, Date.parse('2026-11-22T08:00:00Z'));
  expect(await getCoverage(store())).toMatchObject({
    through_day: '2026-11-19',
    last_day: '2026-11-21',
    revision: 1,
    begun_at: '2026-11-22T08:00:00.000Z',
  });
});

test('refreshCoverage increments the revision and follows the stored days', async () => {
  await put('2026-11-18');
  await refreshCoverage(store(), FROM);
  await put('2026-11-20');
  const refreshed = await refreshCoverage(store(), FROM);
  const [through_day, last_day] = ['2026-11-18', '2026-11-20'];
  expect(refreshed).toMatchObject({ from_day: FROM, through_day, last_day, revision: 2 });
  expect(await getCoverage(store())).toEqual(refreshed);
});

describe('restoreCoverage', () => {
  const begun_at = '2026-11-01T00:00:00.000Z';
  const exported = async () => ({ ...(await refreshCoverage(store(), FROM)), revision: 7, begun_at });

  test('keeps the exported revision in a table without a coverage, also when it is repeated', async () => {
    await put('2026-11-18');
    const coverage = await exported();
    await table().deleteItem({ chain: 'BSC', date: 'coverage' });
    for (let times = 1; times <= 2; times++) {
      await restoreCoverage(store(), FROM, coverage);
      expect(await getCoverage(store())).toMatchObject({ last_day: '2026-11-18', revision: 7, begun_at });
    }
  });

  test('ends a replacement that was interrupted', async () => {
    await put('2026-11-18');
    const coverage = await exported();
    await refreshCoverage(store(), FROM, ['2026-11-18'], 'begins');
    await restoreCoverage(store(), FROM, coverage);
    expect(await getCoverage(store())).not.toHaveProperty('replacing_since');
  });

  test.each([
    [2, 7],
    [7, 8],
    [9, 10],
  ])(
    'with revision %i in the table, it becomes %i, and caches read all days again',
    async (own, revision) => {
      await put('2026-11-18');
      const coverage = await exported();
      for (let last = 1; last < own; last++) await refreshCoverage(store(), FROM);
      await put('2026-11-19');
      await restoreCoverage(store(), '2026-11-17', coverage);
      expect(await getCoverage(store())).toMatchObject({
        from_day: '2026-11-17',
        last_day: '2026-11-19',
        revision,
        changes: [],
        changes_since: revision,
      });
    },
  );
});

test('counts all final days by evidence, also those before the first day to ingest', async () => {
  await put('2026-11-15');
  await put('2026-11-18', { evidence: 'checked' });
  await put('2026-11-20', { ingestedAt: new Date('2026-11-21T00:06:00Z') });
  expect((await refreshCoverage(store(), FROM)).summary).toEqual({
    by_evidence: {
      proven: { days: 2, first: '2026-11-15', last: '2026-11-20', since: '2026-11-21T00:06:00.000Z' },
      checked: { days: 1, first: '2026-11-18', last: '2026-11-18', since: expect.any(String) },
    },
    heirs: 0,
  });
});

describe('withChanges', () => {
  test('lets caches read all days again after one was deleted, though another was published since', async () => {
    for (const day of ['2026-11-18', '2026-11-19']) await put(day);
    const { revision } = await refreshCoverage(store(), FROM);
    await table().deleteItem({ chain: 'BSC', date: '2026-11-18' });
    await put('2026-11-20');
    expect(await refreshCoverage(store(), FROM)).toMatchObject({ changes_since: revision + 1 });
  });

  test('lists each changed day with its revision', () => {
    const first = withChanges(undefined, ['2026-11-18']);
    expect(first).toEqual({ revision: 1, changes: [{ day: '2026-11-18', revision: 1 }], changes_since: 0 });
    expect(withChanges(first, [])).toEqual({ ...first, revision: 2 });
  });

  test('lists all changes after changes_since and at most 64', () => {
    const batch = fc.array(fc.constantFrom('2026-11-18', '2026-11-19'), { maxLength: 90, size: 'max' });
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 8 }), (batches) => {
        const all = batches.flatMap((days, index) => days.map((day) => ({ day, revision: index + 1 })));
        const { revision, changes, changes_since } = batches.reduce<Changes | undefined>(
          withChanges,
          undefined,
        ) as Changes;
        expect(revision).toBe(batches.length);
        expect(changes.length).toBeLessThanOrEqual(64);
        const isNewer = (each: { revision: number }) => each.revision > changes_since;
        expect(changes.filter(isNewer)).toEqual(all.filter(isNewer));
        if (all.length <= 64) expect(changes_since).toBe(0);
      }),
    );
  });
});

describe('the first day to ingest', () => {
  const bsc = chainOf('BSC');
  const at = (time: string) => Date.parse(time);
  const keep = (startDate: string | undefined, time: string) =>
    keepFirstDay(store(), bsc, startDate, at(time));

  test('a chain without a start date begins 30 days before its first run, and later runs keep that day', async () => {
    expect(await keep(undefined, '2027-12-31T08:00:00Z')).toBe('2027-12-01');
    expect(await keep(undefined, '2028-06-01T08:00:00Z')).toBe('2027-12-01');
    expect(await plannedFirstDay(store(), bsc, undefined, at('2028-06-01T08:00:00Z'))).toBe('2027-12-01');
  });

  test('a configured start date wins at any time, and stays when the stage no longer names it', async () => {
    expect(await keep('2026-11-10', '2026-11-20T08:00:00Z')).toBe('2026-11-10');
    expect(await keep('2026-10-01', '2026-11-21T08:00:00Z')).toBe('2026-10-01');
    await refreshCoverage(store(), '2026-10-01');
    expect(await keep(undefined, '2026-11-22T08:00:00Z')).toBe('2026-10-01');
  });

  test('no chain begins before its first day', async () => {
    expect(await keep('2015-01-01', '2026-11-20T08:00:00Z')).toBe(bsc.firstDay);
    expect(newFirstDay(chainOf('ETHEREUM'), undefined, at('2015-08-04T00:00:00Z'))).toBe('2015-07-30');
  });
});
