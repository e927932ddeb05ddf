import { addDays, type UtcDay } from '../figures/calendar.ts';
import { cutReason, type Restatement } from '../figures/day-figures.ts';
import { settleConflictsAround } from '../store/chain/conflicts.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import {
  deleteCheckpoint,
  getCheckpoint,
  listCheckpoints,
  listRestatements,
  requestRestatement,
} from '../store/days/checkpoints.ts';
import { getDay } from '../store/days/days.ts';
import { deleteWaitingDay, listWaitingItems } from '../store/days/waiting-days.ts';
import { restatementState } from '../store/days/write-day.ts';
import type { ChainStore } from '../store/table/table.ts';
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
  // Listed as changed: an archived day may have been replaced before the crash, and caches may have the day before that.
  await reconcileDays(store, from, final, final);
}

/** Extends the coverage by days that were just published, then deletes their checkpoints and waiting items. */
export async function reconcileDays(
  store: ChainStore,
  from: UtcDay,
  days: readonly UtcDay[],
  changed: readonly UtcDay[] = [],
): Promise<void> {
  // The order matters: after a crash in between, the next run does both again.
  await refreshCoverage(store, from, changed);
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
    await reconcileAround(store, restated, restatement);
    // The coverage tells caches that a final day has changed.
    await refreshCoverage(store, from, [restated]);
    await deleteCheckpoint(store, checkpoint);
  }
}

const FOLLOWING = 'the day after was restated: ';

/** Restates the day before a replaced day, or starts the day after over, if it no longer fits. */
async function reconcileAround(store: ChainStore, restated: UtcDay, restatement: Restatement): Promise<void> {
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
  await settleConflictsAround(store, restated);
}
