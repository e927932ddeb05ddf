import fc from 'fast-check';
import { encodeDay, readRows } from '#cli/day-files/ndjson.ts';
import { planWrites } from '#cli/import/plan-writes.ts';
import { dayId } from '#cli/import/validate-rows.ts';
import { readStored, refreshCoverages, writeDays } from '#cli/import/write-days.ts';
import { parseDay } from '#cli/options.ts';
import { chainOf } from '#core/chains/chains.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { getCheckpoint, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { getStoredDay, putStoredDay, readStoredDays } from '#core/store/days/stored-days.ts';
import { listWaitingDays, putWaitingDay } from '#core/store/days/waiting-days.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { startEmbeddedTable } from '#local/embedded-table.ts';
import {
  anyStoredDay,
  blockAt,
  restatedDay,
  storedDay,
  storedDays,
} from '#test/support/generators/stored-days.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const { signal } = new AbortController();

const inFile = (days: readonly StoredDay[]) => days.map((day, index) => ({ line: index + 1, day }));
const planned = (days: readonly StoredDay[], stored: readonly StoredDay[] = []) =>
  planWrites(inFile(days), new Map(stored.map((day) => [dayId(day), day])), { replace: true }).writes;
const write = (days: readonly StoredDay[], stored: readonly StoredDay[] = []) =>
  writeDays(table(), planned(days, stored), { signal, onWritten: () => {} });
const readAll = (from: Table) =>
  Array.fromAsync(readStoredDays(chainStore(from, 'BSC'), '0000-01-01', '9999-12-31'));

const encode = (days: readonly StoredDay[]) => days.map((day) => encodeDay({ day })).join('');
async function* chunk(text: string) {
  yield text;
}

test('imports exactly the item that was exported, which exports the same text again', async () => {
  const other = await startEmbeddedTable();
  await fc.assert(
    fc.asyncProperty(anyStoredDay, async (day) => {
      await table().putIf(day);
      const stored = await getStoredDay(chainStore(table(), day.chain), day.date);
      const text = encode(stored ? [stored] : []);
      const rows = await Array.fromAsync(readRows(chunk(text)));
      const days = rows.flatMap((row) => ('day' in row ? [row] : []));
      const { writes } = planWrites(days, await readStored(other, days, signal), { replace: true });
      await writeDays(other, writes, { signal, onWritten: () => {} });
      const key = { chain: day.chain, date: day.date };
      expect(await other.getItem(key)).toEqual(await table().getItem(key));
      const again = await getStoredDay(chainStore(other, day.chain), day.date);
      expect(encode(again ? [again] : [])).toBe(text);
      // The next day may be next to this one, and would not be contiguous with it.
      await other.deleteItem(key);
    }),
    { numRuns: 8, examples: [[restatedDay()]] },
  );
  await other.close();
});

test('writes days unchanged, and deletes their checkpoints and what waits', async () => {
  const days = storedDays(30);
  const checkpoint = { day: '2025-11-19', sequence: 0 };
  await saveCheckpoint(store(), checkpoint, {});
  const progress = startDayProgress('2025-11-20', blockAt(8));
  await putWaitingDay(store(), { progress, next: blockAt(13), since: 0 });
  expect((await getCheckpoint(store(), '2025-11-19')).sequence).toBe(1);
  expect(await write(days)).toHaveLength(30);
  expect(await readAll(table())).toEqual(days);
  expect((await getCheckpoint(store(), '2025-11-19')).sequence).toBe(0);
  expect(await listWaitingDays(store())).toEqual([]);
});

test('skips a day that another writer changed since the plan', async () => {
  const [one = storedDay(), two = storedDay()] = storedDays(2);
  const theirs = { ...two, transaction_count: 10, revision: 2 };
  await putStoredDay(table(), theirs, 0);
  for (const plannedAgainst of [[], [{ ...two, blob_fees: 1n }]]) {
    const written = await write([one, two], plannedAgainst);
    expect(written.map(({ day }) => day.date)).toEqual(['2025-11-18']);
    expect(await readAll(table())).toEqual([one, theirs]);
  }
});

test('counts an identical stored day as written, since the response to the write may have been lost', async () => {
  const days = storedDays(2);
  await putStoredDay(table(), days[1] ?? storedDay(), 0);
  expect(await write(days)).toHaveLength(2);
});

test('stops between two days and returns the days written by then', async () => {
  const end = new AbortController();
  const days = storedDays(60);
  const written = await writeDays(table(), planned(days), {
    signal: end.signal,
    onWritten: (done) => done === 5 && end.abort(),
  });
  expect(written.length).toBeGreaterThanOrEqual(5);
  expect(written.length).toBeLessThan(30);
  expect(await readAll(table())).toHaveLength(written.length);
});

test('rebuilds the coverage from the start of the schedule, its old start, or 30 days ago', async () => {
  const bsc = storedDays(3);
  const base = storedDay({ chain: 'BASE', date: '2023-06-15' });
  await write([...bsc, base]);
  const service = { title: '', flags: '', table: table(), chains: [] };
  await refreshCoverages(service, inFile([...bsc, base]), 'ends');
  expect(await getCoverage(chainStore(table(), 'BASE'))).toMatchObject({ last: '2023-06-15', revision: 1 });
  expect(await getCoverage(store())).toMatchObject({ from: parseDay('30-days-ago'), last: '2025-11-20' });
  const served = {
    name: 'BSC' as const,
    from: '2025-11-18',
    store: store(),
    createUpstreams: async () => [],
  };
  await refreshCoverages({ ...service, chains: [{ ...served, chain: chainOf('BSC') }] }, inFile(bsc), 'ends');
  expect(await getCoverage(store())).toMatchObject({ through: '2025-11-20', revision: 2 });
  await refreshCoverages(service, inFile(bsc.slice(0, 1)), 'ends');
  expect(await getCoverage(store())).toMatchObject({ from: '2025-11-18', revision: 3 });
});

test('records the days in the changes of the coverage, for caches', async () => {
  await write(storedDays(2));
  await refreshCoverages({ title: '', flags: '', table: table(), chains: [] }, inFile(storedDays(2)), 'ends');
  expect((await getCoverage(store()))?.changes).toEqual([
    { day: '2025-11-18', revision: 1 },
    { day: '2025-11-19', revision: 1 },
  ]);
});

test('reads the stored days from the day before the first to the day after the last, until the signal aborts', async () => {
  const days = storedDays(5);
  await write(days);
  const stored = await readStored(table(), inFile(days.slice(2, 3)), signal);
  expect([...stored.values()]).toEqual(days.slice(1, 4));
  await expect(readStored(table(), inFile(days), AbortSignal.abort())).rejects.toThrow('aborted');
});
