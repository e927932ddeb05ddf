import { addDays, type UtcDay } from '../figures/calendar.ts';
import { cutReason, type DayFigures, type Restatement } from '../figures/day-figures.ts';
import { saveConflict, settleConflictsAround } from '../store/chain/conflicts.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import {
  deleteCheckpoint,
  getCheckpoint,
  listCheckpoints,
  listRestatements,
  requestRestatement,
} from '../store/days/checkpoints.ts';
import { describeBlock, describeStart, isContiguous } from '../store/days/compare-figures.ts';
import { getDay, queryDays } from '../store/days/days.ts';
import { deleteWaitingDay, listWaitingItems } from '../store/days/waiting-days.ts';
import { restatementState } from '../store/days/write-day.ts';
import type { ChainStore } from '../store/table/table.ts';
import { type Conflict, conflict } from './day-run.ts';
import { refreshCoverage } from './refresh-coverage.ts';
import { forgetProgress } from './undo.ts';

/*
 * The writes that follow a published day. A crash may happen between any two of them. They are idempotent, so each day ends with them and
 * each run begins with those that are left. If a final day still has a checkpoint or a waiting item, its writes are not complete.
 */

/**
 * Completes the writes that interrupted runs left after final days, and moves the coverage if the first day has changed.
 * @param day only this day; all days by default
 */
export async function reconcileFinalDays(store: ChainStore, from: UtcDay, day?: UtcDay): Promise<void> {
  const checkpoints = await listCheckpoints(store);
  const left = new Set([...checkpoints, ...(await listWaitingItems(store))].map((one) => one.day));
  const final: UtcDay[] = [];
  for (const one of left) if ((day ?? one) === one && (await getDay(store, one))) final.push(one);
  if (final.length === 0 && (day !== undefined || (await getCoverage(store))?.from_day === from)) return;
  // A run that crashed right after it had published a day has not compared it with a neighbor that another published meanwhile.
  for (const one of final) await saveGapsAround(store, one);
  // Listed as changed: an archived day may have been replaced before the crash, and caches may have the day before that.
  await reconcileDays(store, from, final);
}

/** Saves a conflict for each border of a day at which it and the final day beside it are not contiguous. */
async function saveGapsAround(store: ChainStore, day: UtcDay): Promise<void> {
  const days = await queryDays(store, addDays(day, -1), addDays(day, 1));
  for (const one of days) {
    const other = days.find((after) => after.day === addDays(one.day, 1));
    const gap = other && gapBetween(store, one, other);
    if (gap) await saveConflict(store, { ...gap, since: Date.now() });
  }
}

/** Returns a conflict if a day does not end where the day after it begins. */
export function gapBetween({ chain }: ChainStore, one: DayFigures, other: DayFigures): Conflict | undefined {
  if (isContiguous(one, other)) return undefined;
  return conflict(
    one.day,
    `${chain} ${one.day} and ${other.day} are not contiguous: ${one.day} ends with block ${describeBlock(one.last)}; ` +
      `${describeStart(other)}. Verify both days and restate the wrong one, the later day first.`,
  );
}

/** Extends the coverage by days that were just published, then deletes their checkpoints and waiting items. */
export async function reconcileDays(store: ChainStore, from: UtcDay, days: readonly UtcDay[]): Promise<void> {
  // The order matters: after a crash in between, the next run does both again.
  await refreshCoverage(store, from, days);
  for (const day of days) {
    // The checkpoint is deleted last, because it shows the next run that writes are left.
    await deleteWaitingDay(store, day);
    await deleteCheckpoint(store, { day });
  }
}

/**
 * Completes finished restatements. If the restated day does not begin after the last block of the day before, that day is restated too,
 * and so on. A half-read day after it starts over if it does not continue the restated one.
 * @param day only this day
 */
export async function reconcileRestatements(store: ChainStore, from: UtcDay, day?: UtcDay): Promise<void> {
  for (const checkpoint of await listRestatements(store, day)) {
    const { day: restated, restatement } = checkpoint;
    if (!restatement || (await restatementState(store, restated, restatement)) === 'open') continue;
    await completeRestatement(store, from, restated, restatement);
  }
}

/** Completes the writes that follow a replaced day, also if another run has ended the request for it meanwhile. */
export async function completeRestatement(
  store: ChainStore,
  from: UtcDay,
  restated: UtcDay,
  restatement: Restatement,
): Promise<void> {
  await reconcileAround(store, restated, restatement);
  // The coverage tells caches that a final day has changed.
  await refreshCoverage(store, from, [restated]);
  await deleteCheckpoint(store, { day: restated, restatement });
}

const FOLLOWING = 'the day after was restated: ';

/** Restates the day before a replaced day, or starts the day after over, if it no longer fits. */
async function reconcileAround(store: ChainStore, restated: UtcDay, restatement: Restatement): Promise<void> {
  // Before the request: if that is refused, the run that still works on the day before finds a gap after this, and its conflict stays.
  await settleConflictsAround(store, restated);
  // The border between the two days after it is not its own: a gap there stays.
  await saveGapsAround(store, addDays(restated, 1));
  const [figures, dayBefore] = [await getDay(store, restated), await getDay(store, addDays(restated, -1))];
  if (figures && dayBefore && dayBefore.last.hash !== figures.parentHash) {
    const { reason } = restatement;
    // The prefix is added once, so that reasons do not grow from day to day.
    const following = reason.startsWith(FOLLOWING) ? reason : cutReason(`${FOLLOWING}${reason}`);
    await requestRestatement(store, dayBefore.day, { ...restatement, reason: following });
  }
  const after = await getCheckpoint(store, addDays(restated, 1));
  if (figures && after.progress && after.progress.parentHash !== figures.last.hash) {
    await forgetProgress(store, after.day);
  }
}
