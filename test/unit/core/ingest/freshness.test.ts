import { dataAgeSeconds, recordLag, reviewConflicts, unreadSeconds } from '#core/ingest/freshness.ts';
import type { IngestReport } from '#core/ingest/report.ts';
import { listConflicts, saveConflict } from '#core/store/chain/conflicts.ts';
import { getLag } from '#core/store/chain/coverage.ts';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { embeddedAccess } from '#local/embedded-table.ts';
import { fastClock } from '#test/support/clock.ts';
import { startAwsEndpoint } from '#test/support/servers/aws-endpoint.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

const table = useMemoryTable();
const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
beforeEach(() => warn.mockClear());

const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600;
const iso = (ms: number) => new Date(ms).toISOString();
const clockAt = (now: number) => ({
  ...fastClock(),
  now: () => now,
  sleep: () => new Promise<void>(() => {}),
});

const putCoverage = (item: object) =>
  table().putIf({
    chain: 'BASE',
    date: 'coverage',
    revision: 1,
    days: '',
    from_day: '2026-11-01',
    through_day: '2026-10-31',
    changes: [],
    changes_since: 0,
    waiting_days: 0,
    ...item,
  });

const ageAt = (now: number, of: Table = table()) => dataAgeSeconds(chainStore(of, 'BASE'), clockAt(now));

test('is the time since the end of the newest final day, whatever older days are missing', async () => {
  await putCoverage({ through_day: '2026-11-19', last_day: '2026-11-19' });
  expect(await ageAt(NOON)).toBe(12 * HOUR);
  await putCoverage({ through_day: '2026-11-03', last_day: '2026-11-18' });
  expect(await ageAt(NOON)).toBe(36 * HOUR);
});

test('is the time since the first run while no day is final, so that a new stage raises no alarm', async () => {
  await putCoverage({ begun_at: '2026-11-20T10:00:00.000Z' });
  expect(await ageAt(NOON)).toBe(2 * HOUR);
  await putCoverage({ begun_at: '2026-11-20T10:00:00.000Z', last_day: '2026-11-18' });
  expect(await ageAt(NOON)).toBe(36 * HOUR);
});

test('is the time since the start of the first day while a stage has only imported, and never negative', async () => {
  await putCoverage({ from_day: '2026-11-01' });
  expect(await ageAt(NOON)).toBe((19 * 24 + 12) * HOUR);
  await putCoverage({ from_day: '2026-11-21' });
  expect(await ageAt(NOON)).toBe(0);
});

test.each([
  [
    'has an invalid coverage item',
    async () => {
      await putCoverage({ from_day: 7 });
      return ageAt(NOON);
    },
    'The item BASE coverage cannot be read',
  ],
  [
    'returns an error',
    async () => {
      await using away = await startAwsEndpoint(() => ({ error: 'InternalServerError', status: 500 }));
      return await ageAt(NOON, createDocumentTable('metrics', { endpoint: away.url, ...embeddedAccess }));
    },
    'The table is unavailable',
  ],
  [
    'does not answer',
    () => {
      const silent = createDocumentTable('metrics', {
        ...embeddedAccess,
        requestHandler: { handle: () => new Promise<never>(() => {}) },
      });
      return dataAgeSeconds(chainStore(silent, 'BASE'), fastClock());
    },
    'There was no answer within 2 s',
  ],
])('when the table %s, the age is undefined and the reason is logged', async (_, age, reason) => {
  expect(await age()).toBeUndefined();
  expect(warn.mock.calls).toEqual([
    [{ chain: 'BASE', problem: 'the age of the data is unknown', reason: expect.stringContaining(reason) }],
  ]);
});

const upToDate: IngestReport = {
  chain: 'BASE',
  outcome: 'up to date',
  days: [],
  restated: [],
  blocks: 0,
  seconds: 1,
  blocksPerSecond: 0,
  faults: {},
};
const failed: IngestReport = { ...upToDate, outcome: 'failed', reason: 'unreachable' };
const store = () => chainStore(table(), 'BASE');

test('a run that failed says why and at which block, and leaves the lag of an earlier run until the next one finds it out', async () => {
  const at = (hours: number, run: IngestReport) => recordLag(store(), run, clockAt(NOON + hours * HOUR));
  await at(1, { ...upToDate, lagSeconds: 20 });
  await at(2, { ...failed, refusedBlock: 130 });
  expect(await getLag(store())).toEqual({
    seconds_behind: 20,
    seen_at: iso(NOON + HOUR),
    problem: failed.reason,
    refused_block: 130,
  });
  await at(3, { ...upToDate, lagSeconds: 30 });
  expect(await getLag(store())).toEqual({ seconds_behind: 30, seen_at: iso(NOON + 3 * HOUR) });
});

test('a reason is cut to 2,000 characters, so that the item of a chain with many endpoints stays small', async () => {
  for (const [length, kept] of [
    [2_000, 2_000],
    [2_001, 2_000],
  ] as const) {
    await recordLag(store(), { ...failed, reason: 'x'.repeat(length) }, clockAt(NOON));
    expect((await getLag(store()))?.problem).toHaveLength(kept);
  }
});

test('a run that neither measured the lag nor failed saves nothing', async () => {
  await recordLag(store(), upToDate, clockAt(NOON));
  expect(await getLag(store())).toBeUndefined();
});

test('a chain is unread since the last block, and only after a run that failed before its first one', async () => {
  const unread = (report: IngestReport, now = NOON + HOUR * 1_000) =>
    unreadSeconds(store(), report, clockAt(now));
  expect(await unread(failed)).toBeUndefined();
  await recordLag(store(), { ...upToDate, lagSeconds: 20 }, clockAt(NOON));
  expect(await unread(failed)).toBe(HOUR);
  // The clock may have been set back.
  for (const now of [NOON, NOON - 60_000]) expect(await unread(failed, now)).toBe(0);
  expect(await unread({ ...failed, blocks: 1 })).toBeUndefined();
  expect(await unread(upToDate)).toBeUndefined();
});

const count = (report: IngestReport) => reviewConflicts(store(), report, clockAt(NOON));

test('the open conflicts are those of final days: a dispute and missing proofs of finality change none', async () => {
  const since = NOON - 30 * HOUR * 1_000;
  await saveConflict(store(), { reason: 'Hosts dispute it.', since });
  await saveConflict(store(), { about: 'finality', reason: 'No server answers.', since });
  expect(await count(failed)).toBe(0);
  await saveConflict(store(), { day: '2026-11-18', reason: 'Other figures.', since });
  expect(await count(failed)).toBe(1);
});

test('a dispute about the final block is settled by a run that found one, and by no other', async () => {
  await saveConflict(store(), { reason: 'Hosts dispute it.', since: NOON });
  const head = 7;
  for (const report of [failed, { ...upToDate, head, disputed: true }]) {
    await count(report);
    expect(await listConflicts(store())).toHaveLength(1);
  }
  await count({ ...upToDate, head });
  expect(await listConflicts(store())).toEqual([]);
});
