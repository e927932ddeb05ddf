import { addDays } from '#core/figures/calendar.ts';
import type { DayFigures } from '#core/figures/day-figures.ts';
import { changeArchiveFile, getArchiveFile, listArchivedDays } from '#core/store/days/archives.ts';
import { listEvidence, queryDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import { UNKNOWN_MEASURES } from '#test/support/generators/blocks/builders.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { archivedProvenance, archiveOrigin } from '#test/support/generators/rows/archived-days.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { putDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { memoryTable, useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
const FILE = archiveOrigin().file_sha256;
/** The days of the file. The second one has more fees. The day after them is read first. */
const [FIRST, SECOND] = [DAY, addDays(DAY, 1)];
const NOON = Date.parse('2026-11-22T12:00:00Z');
const HOUR_MS = 3_600_000;
const well = answerFrom(sampleBlocks);

/** Runs the ingest on schedule some hours after noon. The clock is fast, so that a run may take hours of it. */
async function runAt(hours: number, provePerDay: number | undefined, answer: NodeAnswer = well, ms?: number) {
  await using node = await startJsonRpcServer(answer);
  const clock = fastClock(1_000, NOON + hours * HOUR_MS);
  return await runIngest(table(), [node], { clock, provePerDay, ...(ms && { ms }) });
}

/** Returns the figures of the first two days, as an archive has them. */
async function figuresOfFile(): Promise<readonly DayFigures[]> {
  const other = memoryTable();
  await using node = await startJsonRpcServer(well);
  await runIngest(other, [node]);
  const days = await queryDays(chainStore(other, 'ETHEREUM'), FIRST, SECOND);
  return days.map(({ totals, ...rest }) => ({ ...rest, totals: { ...totals, measures: UNKNOWN_MEASURES } }));
}

async function importFile(change: (figures: DayFigures) => DayFigures = (figures) => figures) {
  for (const figures of await figuresOfFile()) await putDay(store(), change(figures), archivedProvenance());
  await changeArchiveFile(store(), FILE, () => ({ name: 'dune' }));
  await refreshCoverage(store(), FIRST);
}

const archived = async () => (await listArchivedDays(store())).map(({ figures }) => figures.day);
const proving = async () => (await getArchiveFile(store(), FILE))?.proving;

test('without the setting, archived days stay as they are', async () => {
  await importFile();
  expect(await runAt(0, undefined)).toMatchObject({ outcome: 'up to date', days: ['2026-11-20'] });
  expect(await archived()).toEqual([FIRST, SECOND]);
  expect(await proving()).toBeUndefined();
});

test('proves the day with the largest fees, and once another is due, one by chance', async () => {
  await importFile();
  expect(await runAt(0, 2)).toMatchObject({ outcome: 'up to date', days: ['2026-11-20', SECOND] });
  expect(await proving()).toMatchObject({ day: SECOND, by: 'fees' });
  expect(await runAt(6, 2)).toMatchObject({ outcome: 'up to date', days: [] });
  expect(await archived()).toEqual([FIRST]);
  expect(await runAt(24, 2)).toMatchObject({ outcome: 'up to date', days: [FIRST] });
  expect(await proving()).toMatchObject({ day: FIRST, by: 'chance' });
  expect((await listEvidence(store())).map(({ evidence }) => evidence)).toEqual([
    'proven',
    'proven',
    'proven',
  ]);
  // Nothing is left to prove.
  expect(await runAt(72, 2)).toMatchObject({ outcome: 'up to date', days: [], blocks: 0 });
});

test('a day that nodes cannot give fails no run, and is left until another one is due', async () => {
  await importFile();
  const pruned: NodeAnswer = (call) =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) <= 7
      ? { error: { code: -32000, message: 'pruned history' } }
      : well(call);
  expect(await runAt(0, 1, pruned)).toMatchObject({ outcome: 'up to date', days: ['2026-11-20'] });
  expect(await proving()).toMatchObject({ day: SECOND, problem: expect.stringContaining('pruned history') });
  expect(await runAt(6, 1, pruned)).toMatchObject({ outcome: 'up to date', faults: {} });
  expect(await runAt(48, 1, pruned)).toMatchObject({ outcome: 'up to date' });
  expect((await proving())?.by).toBe('chance');
});

test('a day that nodes cannot give takes no turn while another one is left, and is tried again after it', async () => {
  await importFile((figures) => {
    const { totals } = figures;
    const fees = { ...totals.fees, execution: 10n ** 30n };
    return figures.day === FIRST ? { ...figures, totals: { ...totals, fees } } : figures;
  });
  const pruned: NodeAnswer = (call) =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) <= 4
      ? { error: { code: -32000, message: 'pruned history' } }
      : well(call);
  await runAt(0, 1, pruned);
  expect(await proving()).toMatchObject({ day: FIRST, problem: expect.stringContaining('pruned history') });
  // As if a turn by chance had been between, so that the next one is by fees again.
  await changeArchiveFile(store(), FILE, ({ proving: last }) => ({
    proving: last && { ...last, by: 'chance' },
  }));
  expect(await runAt(48, 1, pruned)).toMatchObject({ days: [SECOND] });
  await runAt(96, 1, pruned);
  expect(await proving()).toMatchObject({ day: FIRST, problem: expect.stringContaining('pruned history') });
});

test('continues a day that a run did not finish, before another one is due', async () => {
  await importFile();
  let isSlow = true;
  const slow: NodeAnswer = (call) =>
    isSlow && call.method === 'eth_getBlockReceipts' && Number(call.params[0]) === 6
      ? { hang: true }
      : well(call);
  expect(await runAt(0, 1, slow, HOUR_MS)).toMatchObject({ outcome: 'up to date', days: ['2026-11-20'] });
  expect(await archived()).toEqual([FIRST, SECOND]);
  isSlow = false;
  expect(await runAt(6, 1, slow)).toMatchObject({ outcome: 'up to date', days: [SECOND] });
});

test('a proof that contradicts the archive is a conflict', async () => {
  await importFile((figures) => ({
    ...figures,
    totals: { ...figures.totals, transactions: figures.totals.transactions + 1 },
  }));
  expect(await runAt(0, 1)).toMatchObject({ outcome: 'conflict', reason: expect.stringContaining('void') });
  expect((await getArchiveFile(store(), FILE))?.void_since).toBeDefined();
});
