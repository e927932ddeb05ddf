import { daysToRead } from '#core/days/ingest-days.ts';
import { markVoidFiles } from '#core/days/prove-archived.ts';
import { type DayEvent, dayEvent, sendDueEvents } from '#core/events/day-events.ts';
import { reportedBy } from '#core/figures/block.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { listConflicts } from '#core/store/chain/conflicts.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import {
  changeArchiveFile,
  getArchivedDay,
  getArchiveFile,
  listArchivedDays,
} from '#core/store/days/archives.ts';
import { getDay } from '#core/store/days/days.ts';
import { getDetails } from '#core/store/days/details.ts';
import { listUnsentEvents } from '#core/store/days/notes.ts';
import { discardWaitingDay } from '#core/store/days/waiting-days.ts';
import { chainStore, type Item } from '#core/store/table/table.ts';
import { originWrite } from '#core/transitions/archive.ts';
import {
  blockAt,
  dayFigures,
  hashOf,
  provenance,
  UNKNOWN_MEASURES,
} from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance, archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { crashingTable, hasCrashed } from '#test/support/tables/crashing-table.ts';
import { publishDay, putDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { racingTable } from '#test/support/tables/racing-table.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
const NOW = Date.parse('2026-11-25T08:30:00Z');
const [BEFORE, DAY, AFTER] = ['2026-11-17', '2026-11-18', '2026-11-19'] as const;
const FILE = archiveOrigin().file_sha256;
const VOID = '2026-11-25T08:00:00.000Z';

const totalsOf = (transactions: number, protocolTransactions = 0) => ({
  ...NO_TOTALS,
  blocks: 2,
  transactions,
  protocolTransactions,
  fees: { ...NO_FEES, execution: 5n },
});

const firstOf = (day: string) => 2 * Number(day.slice(-2));

const figuresOf = (day: string, transactions = 3) =>
  dayFigures(day, {
    totals: { ...totalsOf(transactions), measures: UNKNOWN_MEASURES },
    parentHash: hashOf(firstOf(day) - 1),
    first: blockAt(firstOf(day)),
    last: blockAt(firstOf(day) + 1),
  });

const proofOf = (day: string, totals = totalsOf(3)): DayProgress => {
  const { first, last } = figuresOf(day);
  const begin = startDayProgress(day, blockAt(firstOf(day) - 1));
  return {
    ...begin,
    totals,
    first,
    last: { ...last, host: 'a.example' },
    hosts: ['a.example'],
    provenBlocks: 2,
  };
};

const publish = (progress: DayProgress, of = store()) =>
  publishDay(of, { progress, finality: reportedBy(['a.example']) }, NOW);

/** Returns a store in which another writer comes first once, before a proof or another item is written. */
const interruptedTable = (
  before: () => Promise<unknown>,
  isDue = ({ evidence }: Item): boolean => evidence === 'proven',
) => ({ ...store(), table: racingTable(table(), isDue, { before }) });

beforeEach(async () => {
  for (const day of [BEFORE, DAY, AFTER]) await putDay(store(), figuresOf(day), archivedProvenance());
  await refreshCoverage(store(), BEFORE);
});

test('an archived day is covered and counted, but not final', async () => {
  expect(await getDay(store(), DAY)).toBeUndefined();
  expect(await getCoverage(store())).toMatchObject({
    through_day: AFTER,
    summary: { by_evidence: { archived: { days: 3 } } },
  });
});

test('no scheduled run reads an archived day that is older than the newest days', async () => {
  const days = await Array.fromAsync(daysToRead(store(), BEFORE, startOfDay('2026-11-21')));
  expect(days).toEqual(['2026-11-20', '2026-11-21']);
});

test('a stored day stays when a file has the same day', async () => {
  await putDay(store(), figuresOf('2026-11-20', 7), provenance());
  expect(await putDay(store(), figuresOf('2026-11-20', 8), archivedProvenance())).toBe(false);
  expect(await getDay(store(), '2026-11-20')).toMatchObject({ totals: { transactions: 7 } });
});

test('an equal proof replaces an archived day without a restatement, and caches read it again', async () => {
  const before = await getCoverage(store());
  expect(await publish(proofOf(DAY))).toBeUndefined();
  const item = (await table().getItem({ chain: 'BSC', date: DAY })) ?? {};
  expect(item).toMatchObject({ evidence: 'proven', revision: 1n, amendments: 1n, proven_blocks: 2n });
  expect(item.archived_from).toBeUndefined();
  expect(item.restated).toBeUndefined();
  expect(await getDetails(store(), { day: DAY, revision: 1 })).toBeDefined();
  const after = await getCoverage(store());
  expect(after?.changes.map(({ day }) => day)).toContain(DAY);
  expect(after?.revision).toBeGreaterThan(before?.revision ?? 0);
  expect(await listConflicts(store())).toEqual([]);
  expect(await listUnsentEvents(store())).toMatchObject([{}, {}, { day: DAY, revision: 1, amendment: 1 }]);
});

test('a proof that differs restates the day, voids the file, marks its other days and opens a conflict', async () => {
  const conflict = await publish(proofOf(DAY, totalsOf(4)));
  expect(conflict).toMatchObject({ kind: 'conflict', day: DAY });
  const item = (await table().getItem({ chain: 'BSC', date: DAY })) ?? {};
  const event = dayEvent('BSC', item, 2);
  expect(event).toMatchObject({
    'detail-type': 'Day Restated',
    detail: {
      evidence: 'proven',
      transaction_count: 4,
      restatements: [{ revision: 1, transaction_count: 3 }],
    },
  });
  expect(event?.detail.restatements?.[0]?.reason).toContain('transaction_count 3 → 4');
  // The figures of the archive never have the hours of the proof.
  expect(await getDetails(store(), { day: DAY, revision: 1 })).toBeUndefined();
  expect(await getDetails(store(), { day: DAY, revision: 2 })).toBeDefined();
  expect(await getArchiveFile(store(), FILE)).toMatchObject({
    void_since: expect.any(String),
    is_marked: true,
  });
  const days = await listArchivedDays(store());
  expect(days.map(({ figures, origin }) => [figures.day, origin.void_since !== undefined])).toEqual([
    [BEFORE, true],
    [AFTER, true],
  ]);
  expect(await listConflicts(store())).toMatchObject([
    { day: DAY, reason: expect.stringContaining('3 → 4') },
  ]);
  expect((await getCoverage(store()))?.changes.map(({ day }) => day)).toEqual(
    expect.arrayContaining([BEFORE, DAY, AFTER]),
  );
});

test('two runs that prove the same day at once restate it once', async () => {
  const proof = { progress: proofOf(DAY, totalsOf(4)), finality: reportedBy(['a.example']) };
  await Promise.all([NOW, NOW + 1].map((now) => publishDay(store(), proof, now)));
  expect(await table().getItem({ chain: 'BSC', date: DAY })).toMatchObject({
    revision: 2n,
    restated: [{ transaction_count: 3n }],
  });
});

test.each([
  ['marks', { void_since: VOID }],
  ['audits again', { query_sha256: 'ab'.repeat(32) }],
])('an equal proof replaces a day that another run %s meanwhile', async (_, change) => {
  const racing = interruptedTable(async () => {
    const archived = await getArchivedDay(store(), DAY);
    if (archived) await table().commit([originWrite(store(), archived, { ...archived.origin, ...change })]);
  });
  expect(await publish(proofOf(DAY), racing)).toBeUndefined();
  expect(await getDay(store(), DAY)).toBeDefined();
});

test.each(['while the event of the archived day is sent', 'while events are sent'])(
  'the event of a day that is proven %s is sent',
  async (when) => {
    const sent: string[] = [];
    const send = async ({ detail }: DayEvent) => {
      if (when !== 'while events are sent' && detail.date === DAY && !sent.includes(`${DAY} archived`)) {
        sent.push(`${DAY} archived`);
        await publish(proofOf(DAY));
      } else sent.push(`${detail.date} ${detail.evidence}`);
    };
    const sendEvents = () =>
      sendDueEvents(store(), send, { signal: new AbortController().signal, now: () => 0 });
    await sendEvents();
    await publish(proofOf(DAY), interruptedTable(sendEvents));
    await sendEvents();
    expect(sent.slice(3)).toEqual([`${DAY} proven`]);
  },
);

test('a proof finds a gap to a neighbor that another run published meanwhile', async () => {
  await table().deleteItem({ chain: 'BSC', date: AFTER });
  const other = { ...proofOf(AFTER), parentHash: hashOf(999) };
  const racing = interruptedTable(() => publish(other));
  expect(await publish(proofOf(DAY), racing)).toMatchObject({ kind: 'conflict', day: DAY });
});

test('an archived day whose waiting sums were discarded is read again', async () => {
  await table().commit([discardWaitingDay(store(), DAY)]);
  const days = await Array.fromAsync(daysToRead(store(), BEFORE, startOfDay('2026-11-21')));
  expect(days).toEqual(['2026-11-20', '2026-11-21', DAY]);
});

test('a day that is published while its file is being marked is marked by the next run', async () => {
  await changeArchiveFile(store(), FILE, () => ({ void_since: VOID, is_marked: false }));
  const racing = interruptedTable(
    async () => {
      await putDay(store(), figuresOf('2026-11-20'), archivedProvenance());
      await changeArchiveFile(store(), FILE, () => ({ is_marked: false }));
    },
    ({ is_marked }) => is_marked === true,
  );
  await markVoidFiles(racing);
  await markVoidFiles(store());
  const days = await listArchivedDays(store());
  expect(days.map(({ origin }) => origin.void_since)).toEqual([VOID, VOID, VOID, VOID]);
});

test.each([1, 2, 3])(
  'marking continues after a crash at commit %d, and caches hear of every marked day',
  async (at) => {
    await changeArchiveFile(store(), FILE, () => ({ void_since: VOID, is_marked: false }));
    const crashing = { ...store(), table: crashingTable(table(), at + 0.5) };
    expect(await hasCrashed(markVoidFiles(crashing))).toBe(true);
    await markVoidFiles(store());
    expect((await listArchivedDays(store())).every(({ origin }) => origin.void_since)).toBe(true);
    const told = (await getCoverage(store()))?.changes.map(({ day }) => day);
    expect(new Set(told)).toEqual(new Set([BEFORE, DAY, AFTER]));
  },
);

test('marking leaves other files alone', async () => {
  const other = archiveOrigin({ file_sha256: '12'.repeat(32) });
  await putDay(store(), figuresOf('2026-11-20'), archivedProvenance(other));
  await changeArchiveFile(store(), FILE, () => ({ void_since: VOID, is_marked: false }));
  expect(await markVoidFiles(store())).toEqual([BEFORE, DAY, AFTER]);
  expect(await markVoidFiles(store())).toEqual([]);
  expect((await getArchivedDay(store(), '2026-11-20'))?.origin.void_since).toBeUndefined();
});

test('a state-sync transaction of Polygon that an archive does not list restates the day and leaves its file valid', async () => {
  const polygon = chainStore(table(), 'POLYGON');
  await putDay(polygon, figuresOf(DAY), archivedProvenance());
  expect(await publish(proofOf(DAY, totalsOf(4, 1)), polygon)).toBeUndefined();
  expect(await table().getItem({ chain: 'POLYGON', date: DAY })).toMatchObject({
    revision: 2n,
    evidence: 'proven',
  });
  expect(await getArchiveFile(polygon, FILE)).toBeUndefined();
  expect(await listConflicts(polygon)).toEqual([]);
});
