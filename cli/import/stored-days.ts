import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import type { ChainName } from '../../core/chains/chains.ts';
import { describeChanges } from '../../core/store/days/compare-figures.ts';
import { figuresOf, type StoredDay } from '../../core/store/days/day-item.ts';
import { readStoredDays } from '../../core/store/days/days.ts';
import { chainStore, type Table } from '../../core/store/table/table.ts';
import { importDay } from '../../core/transitions/import.ts';
import { dayId, type FileDay, type RowProblem } from './validate-rows.ts';

/** Stored days by chain and date. */
export type StoredIndex = ReadonlyMap<string, StoredDay>;

/** Reads the days that the table stores of some chains. @throws AbortError when `signal` aborts */
export async function readStored(
  table: Table,
  chains: readonly ChainName[],
  signal?: AbortSignal,
): Promise<StoredIndex> {
  const found = new Map<string, StoredDay>();
  for (const chain of chains) {
    for await (const day of readStoredDays(chainStore(table, chain))) {
      signal?.throwIfAborted();
      found.set(dayId(day), day);
    }
  }
  return found;
}

/** A day to write, and the stored day that it replaces. */
export interface PlannedWrite extends FileDay {
  readonly stored?: StoredDay | undefined;
}

/** Leaves out the counter of additions, which a replacement raises. */
export const unamended = (day: StoredDay) => ({ ...day, amendments: undefined });

export type WritePlan = ReturnType<typeof compareDays>;

/**
 * Compares days with the table, which refuses those with other figures.
 * @param replace allow days to replace stored days, whatever differs
 * @returns also the days that the table stores already
 */
export function compareDays(days: readonly FileDay[], stored: StoredIndex, replace: boolean) {
  const [writes, alreadyFinal, problems]: [PlannedWrite[], FileDay[], RowProblem[]] = [[], [], []];
  for (const own of days) {
    const found = stored.get(dayId(own.day));
    const changes = found && !replace && describeChanges(figuresOf(found), figuresOf(own.day));
    if (changes) {
      const problem = `${dayId(own.day)} is final with other figures (${changes})`;
      problems.push({ file: own.file, line: own.line, problem });
    } else if (found && (!replace || isDeepStrictEqual(unamended(found), unamended(own.day))))
      alreadyFinal.push(own);
    else writes.push({ ...own, stored: found });
  }
  return { writes, alreadyFinal, problems };
}

/** More are not much faster, and would take capacity from readers. */
const CONCURRENCY = 8;

/**
 * Writes the planned days. An optimistic lock leaves days that another writer has changed since.
 * @param signal stops between two days
 * @param isRestored true for the days of a daily export: their events were sent before, and the coverage is restored after them
 * @param onWritten receives the number of days so far
 */
export async function writeDays(
  table: Table,
  writes: readonly PlannedWrite[],
  signal: AbortSignal,
  isRestored: boolean,
  onWritten: (days: number) => void,
): Promise<void> {
  let written = 0;
  await pMap(
    writes,
    async ({ day, details, stored }) => {
      if (signal.aborted) return;
      await importDay(table, day, stored, details, isRestored);
      onWritten(++written);
    },
    { concurrency: CONCURRENCY },
  );
}
