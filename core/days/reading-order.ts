import { addDays, dayOf, type UtcDay } from '../figures/calendar.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import { getArchivedDay } from '../store/days/archives.ts';
import { getCheckpoint, listRestatements } from '../store/days/checkpoints.ts';
import { getDay, listFinalDays } from '../store/days/days.ts';
import { restatementState } from '../store/days/restatements.ts';
import { listDiscardedDays, listWaitingDays } from '../store/days/waiting-days.ts';
import type { ChainStore } from '../store/table/table.ts';
import type { DayState } from './day-run.ts';

/* The order of reading. Only reads the table: store/reconcile.ts has completed the work of interrupted runs. */

/**
 * Yields the days to read: the newest complete day, so that no gap delays a new day; the running day; then the missing days before
 * them, the newest first, so that each becomes final at once; then days of backfills that must be read again. If the day before the
 * newest complete one has begun, that comes first: otherwise a chain that takes more than 24 hours to read a day would never complete
 * one.
 * @param head timestamp of the anchor, in seconds
 */
export async function* daysToRead(
  store: ChainStore,
  from: UtcDay,
  head: number,
): AsyncGenerator<UtcDay, void> {
  const today = dayOf(head);
  const newest = addDays(today, -1);
  const dayBefore = addDays(newest, -1);
  const { progress: begun } = await getCheckpoint(store, dayBefore);
  const isFirst = begun && !(await getArchivedDay(store, dayBefore));
  for (const day of [...(isFirst ? [dayBefore] : []), newest, today]) {
    if (day >= from && !(await stateOf(store, day))) yield day;
  }
  const coverage = await getCoverage(store);
  const isCovered = coverage?.from === from && coverage.through >= dayBefore;
  for (let day = dayBefore; !isCovered && day >= from; day = addDays(day, -1)) {
    // Read again each time: waiting days, and days of other runs, may be final by now. Archived days are proven later, if at all.
    const [final, waiting] = await Promise.all([listFinalDays(store, from, true), listWaitingDays(store)]);
    const read = new Set([...final, ...waiting.map(({ progress }) => progress.day)]);
    while (day >= from && read.has(day)) day = addDays(day, -1);
    if (day >= from) yield day;
  }
  // Days of a backfill may be before `from`.
  for (const day of (await listDiscardedDays(store)).toReversed()) if (day < from) yield day;
}

/** Returns undefined for a day that is still to be read. */
export async function stateOf(store: ChainStore, day: UtcDay): Promise<DayState | undefined> {
  if (await getDay(store, day)) return 'final';
  const isWaiting = (await listWaitingDays(store)).some(({ progress }) => progress.day === day);
  return isWaiting ? 'waiting' : undefined;
}

/**
 * Returns the open restatement of the latest day: the end of a day follows from the day after it.
 * @param day only this day, also one that an operator restates by hand
 * @param except days that this run has tried
 */
export async function nextRestatement(store: ChainStore, day?: UtcDay, except: readonly UtcDay[] = []) {
  for (const checkpoint of (await listRestatements(store, day)).toReversed()) {
    const { restatement } = checkpoint;
    if (except.includes(checkpoint.day)) continue;
    if (!restatement || (restatement.isByHand && day === undefined)) continue;
    if ((await restatementState(store, checkpoint.day, restatement)) === 'open')
      return { ...checkpoint, restatement };
  }
  return undefined;
}
