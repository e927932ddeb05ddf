import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { chainOf } from '../../core/chains/chains.ts';
import { plannedFirstDay } from '../../core/days/first-day.ts';
import { refreshCoverage } from '../../core/days/refresh-coverage.ts';
import { addDays, earlier, later } from '../../core/figures/calendar.ts';
import { deleteCheckpoint } from '../../core/store/days/checkpoints.ts';
import type { StoredDay } from '../../core/store/days/day-item.ts';
import { getStoredDay, putStoredDay, readStoredDays } from '../../core/store/days/stored-days.ts';
import { deleteWaitingDay } from '../../core/store/days/waiting-days.ts';
import { chainStore, type Table } from '../../core/store/table/table.ts';
import type { OperatedService } from '../service.ts';
import type { PlannedWrite, StoredIndex } from './plan-writes.ts';
import { dayId, type FileDay } from './validate-rows.ts';

/** More are not much faster, and would take capacity from readers. */
const CONCURRENCY = 8;

/**
 * Reads what the table stores from the day before the first of these days to the day after the last, for each chain.
 * @throws AbortError when `signal` aborts
 */
export async function readStored(
  table: Table,
  days: readonly FileDay[],
  signal: AbortSignal,
): Promise<StoredIndex> {
  const found = new Map<string, StoredDay>();
  for (const [chain, ofChain] of Map.groupBy(days, ({ day }) => day.chain)) {
    const dates = ofChain.map(({ day }) => day.date);
    const [first, last] = [addDays(dates.reduce(earlier), -1), addDays(dates.reduce(later), 1)];
    for await (const day of readStoredDays(chainStore(table, chain), first, last)) {
      signal.throwIfAborted();
      found.set(dayId(day), day);
    }
  }
  return found;
}

/**
 * Writes the planned days. An optimistic lock skips days that another writer changed since.
 * @param signal stops between two days
 * @param onWritten receives the number of days written
 * @returns the days that were written
 */
export async function writeDays(
  table: Table,
  writes: readonly PlannedWrite[],
  { signal, onWritten }: { readonly signal: AbortSignal; readonly onWritten: (days: number) => void },
): Promise<readonly PlannedWrite[]> {
  const written: PlannedWrite[] = [];
  await pMap(
    writes,
    async (write) => {
      if (signal.aborted || !(await writeDay(table, write))) return;
      written.push(write);
      onWritten(written.length);
    },
    { concurrency: CONCURRENCY },
  );
  return written;
}

/** Writes in the order of the ingest: the day, then what its next run would continue from; the coverage follows at the end. */
async function writeDay(table: Table, { day, details, stored }: PlannedWrite): Promise<boolean> {
  const store = chainStore(table, day.chain);
  if (!(await putStoredDay(table, day, stored?.revision ?? 0, details))) {
    // A retry after a lost response finds the day that the first attempt wrote.
    if (!isDeepStrictEqual(await getStoredDay(store, day.date), day)) return false;
  }
  await deleteCheckpoint(store, { day: day.date });
  await deleteWaitingDay(store, day.date);
  return true;
}

/**
 * Rebuilds the coverage of the chains of these days, including chains that the service does not ingest.
 * @param days that may have been written, so that caches read them again
 * @param replacement before or after stored days are replaced: if the import is killed in between, the API caches none of them
 */
export async function refreshCoverages(
  { table, chains }: OperatedService,
  days: readonly FileDay[],
  replacement: 'begins' | 'ends',
): Promise<void> {
  for (const [name, written] of Map.groupBy(days, ({ day }) => day.chain)) {
    const store = chainStore(table, name);
    const served = chains.find((chain) => chain.name === name);
    const from = await plannedFirstDay(store, chainOf(name), served?.from, Date.now());
    const changed = written.map(({ day }) => day.date);
    await refreshCoverage(store, from, changed, replacement);
  }
}
