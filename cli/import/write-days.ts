import pMap from 'p-map';
import { chainOf } from '../../lambda/chains/chains.ts';
import { later } from '../../lambda/chains/utc-day.ts';
import { chainStore } from '../../lambda/store/chain-store.ts';
import { deleteCheckpoint } from '../../lambda/store/checkpoints.ts';
import { getCoverage, refreshCoverage } from '../../lambda/store/coverage.ts';
import type { StoredDay } from '../../lambda/store/day-item.ts';
import { getStoredDay, putStoredDay } from '../../lambda/store/stored-days.ts';
import type { Table } from '../../lambda/store/table.ts';
import { LineError, type ReadRow } from '../day-files/ndjson.ts';
import type { OperatedService } from '../service.ts';
import { type DayDigest, fingerprintOf } from './day-digest.ts';
import type { PlannedWrite } from './plan-writes.ts';

/** More are not much faster, and would take capacity from readers. */
const CONCURRENCY = 8;

/**
 * Reads the rows again and writes the planned days. An optimistic lock skips days that another writer changed since.
 * @param signal stops between two days
 * @param onWritten receives the number of days written
 * @returns the days that were written
 * @throws LineError when a row has changed since the plan
 */
export async function writeDays(
  table: Table,
  writes: readonly PlannedWrite[],
  rows: AsyncIterable<ReadRow>,
  { signal, onWritten }: { readonly signal: AbortSignal; readonly onWritten: (days: number) => void },
): Promise<readonly PlannedWrite[]> {
  const written: PlannedWrite[] = [];
  await pMap(
    plannedRows(rows, writes, signal),
    async ({ day, write }) => {
      if (!(await writeDay(table, day, write))) return;
      written.push(write);
      onWritten(written.length);
    },
    { concurrency: CONCURRENCY },
  );
  return written;
}

async function* plannedRows(
  rows: AsyncIterable<ReadRow>,
  writes: readonly PlannedWrite[],
  signal: AbortSignal,
) {
  const byLine = new Map(writes.map((write) => [write.line, write]));
  for await (const { line, ...row } of rows) {
    if (signal.aborted) return;
    const write = byLine.get(line);
    if (!write) continue;
    if (!('day' in row) || fingerprintOf(row.day) !== write.fingerprint) {
      throw new LineError(line, 'the file changed during the import. Run the import again.');
    }
    yield { day: row.day, write };
  }
}

/** Writes in the order of the ingest: the day, then its checkpoint; the coverage follows at the end. */
async function writeDay(
  table: Table,
  day: StoredDay,
  { stored, fingerprint }: PlannedWrite,
): Promise<boolean> {
  const store = chainStore(table, day.chain);
  if (!(await putStoredDay(table, day, stored?.revision ?? 0))) {
    // A retry after a lost response finds the day that the first attempt wrote.
    const now = await getStoredDay(store, day.date);
    if (!now || fingerprintOf(now) !== fingerprint) return false;
  }
  await deleteCheckpoint(store, { day: day.date });
  return true;
}

/**
 * Rebuilds the coverage of the chains of these days, including chains that the service does not ingest.
 * @param days that may have been written, so that caches read them again
 */
export async function refreshCoverages(
  { table, chains }: OperatedService,
  days: readonly DayDigest[],
): Promise<void> {
  for (const [name, written] of Map.groupBy(days, ({ chain }) => chain)) {
    const store = chainStore(table, name);
    const served = chains.find((chain) => chain.name === name);
    const from = served?.from ?? (await getCoverage(store))?.from;
    const { firstDay } = chainOf(name);
    const changed = written.map(({ figures }) => figures.day);
    await refreshCoverage(store, later(from ?? firstDay, firstDay), changed);
  }
}
