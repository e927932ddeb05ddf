import pMap from 'p-map';
import { chainOf } from '../../lambda/chains/chains.ts';
import { later } from '../../lambda/chains/utc-day.ts';
import { chainStore } from '../../lambda/store/chain-store.ts';
import { deleteCheckpoint } from '../../lambda/store/checkpoints.ts';
import { getCoverage, refreshCoverage } from '../../lambda/store/coverage.ts';
import { getStoredDay, putStoredDay, type StoredDay } from '../../lambda/store/stored-days.ts';
import type { Table } from '../../lambda/store/table.ts';
import type { OperatedService } from '../service.ts';
import type { KnownDay, Write } from './check-file.ts';
import { fingerprintOf } from './known-days.ts';
import { LineError } from './line-error.ts';
import type { ReadRow } from './read-rows.ts';

/** More at once are not much faster, and this leaves room for those who read. */
const CONCURRENCY = 8;

/**
 * Writes days as they are read again, each on top of what was there when it was judged.
 * @param signal ends it between two days
 * @param onWritten is told how many are written
 * @returns those that were written: the others were changed by another writer since, or not reached
 * @throws LineError when a row is not the one that was judged
 */
export async function writeDays(
  table: Table,
  writes: readonly Write[],
  rows: AsyncIterable<ReadRow>,
  { signal, onWritten }: { readonly signal: AbortSignal; readonly onWritten: (days: number) => void },
): Promise<readonly Write[]> {
  const written: Write[] = [];
  await pMap(
    judgedRows(rows, writes, signal),
    async ({ day, write }) => {
      if (!(await writeDay(table, day, write))) return;
      written.push(write);
      onWritten(written.length);
    },
    { concurrency: CONCURRENCY },
  );
  return written;
}

async function* judgedRows(rows: AsyncIterable<ReadRow>, writes: readonly Write[], signal: AbortSignal) {
  const byLine = new Map(writes.map((write) => [write.line, write]));
  for await (const { line, ...row } of rows) {
    if (signal.aborted) return;
    const write = byLine.get(line);
    if (!write) continue;
    if (!('day' in row) || fingerprintOf(row.day) !== write.fingerprint) {
      throw new LineError(line, 'the file was changed while it was read. Run the import again.');
    }
    yield { day: row.day, write };
  }
}

/** In the order of the ingest: the day is put, its checkpoint goes, and in the end the coverage moves. */
async function writeDay(table: Table, day: StoredDay, { stored, fingerprint }: Write): Promise<boolean> {
  const { chain, date } = day;
  if (!(await putStoredDay(table, day, stored?.revision ?? 0))) {
    // An answer may get lost: then the day is there, and the second attempt finds it.
    const now = await getStoredDay(chainStore(table, chain), date);
    if (!now || fingerprintOf(now) !== fingerprint) return false;
  }
  await deleteCheckpoint(chainStore(table, chain), { day: date });
  return true;
}

/**
 * Makes the coverage of chains anew, those too that the service does not ingest.
 * @param days those that may have been written, so that whoever keeps days reads them again
 */
export async function refreshCoverages(
  { table, chains }: OperatedService,
  days: readonly KnownDay[],
): Promise<void> {
  for (const [name, written] of Map.groupBy(days, ({ chain }) => chain)) {
    const served = chains.find((chain) => chain.name === name);
    const from = served?.from ?? (await getCoverage(chainStore(table, name)))?.from;
    const { firstDay } = chainOf(name);
    const changed = written.map(({ figures }) => figures.day);
    await refreshCoverage(chainStore(table, name), later(from ?? firstDay, firstDay), changed);
  }
}
