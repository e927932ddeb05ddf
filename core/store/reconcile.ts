import { addDays, type UtcDay } from '../figures/calendar.ts';
import { cutReason, type Restatement } from '../figures/day-figures.ts';
import { deleteCheckpoint, getCheckpoint, listCheckpoints } from './checkpoints.ts';
import { settleConflictsAround } from './conflicts.ts';
import { getCoverage } from './coverage.ts';
import { getDay } from './days.ts';
import { refreshCoverage } from './refresh-coverage.ts';
import { listRestatements, requestRestatement, restatementState } from './restatements.ts';
import type { ChainStore } from './table.ts';
import { deleteWaitingDay, discardWaitingDay, listNotedDays } from './waiting-days.ts';

/*
 * The writes that follow a published day. They are separate and idempotent, and a crash may come between any two; so each run begins
 * with them, and each day ends with them. While a checkpoint or a waiting day of a final day exists, they are still to be done.
 */

/**
 * Completes the writes after final days that interrupted runs left open, and moves the coverage to another first day.
 * @param day only this day
 */
export async function reconcileFinalDays(store: ChainStore, from: UtcDay, day?: UtcDay): Promise<void> {
  const checkpoints = await listCheckpoints(store);
  const left = new Set([...checkpoints.map((one) => one.day), ...(await listNotedDays(store))]);
  const final: UtcDay[] = [];
  for (const one of left) if ((day ?? one) === one && (await getDay(store, one))) final.push(one);
  if (final.length === 0 && (day !== undefined || (await getCoverage(store))?.from === from)) return;
  await reconcileDays(store, from, final);
}

/** Extends the coverage by days that were just published, then deletes their checkpoints and waiting items. */
export async function reconcileDays(store: ChainStore, from: UtcDay, days: readonly UtcDay[]): Promise<void> {
  // In this order: after a crash in between, the next run does both again.
  await refreshCoverage(store, from);
  for (const day of days) await forgetReading(store, day);
}

/** Discards the progress of a day. */
export async function startDayOver(store: ChainStore, day: UtcDay): Promise<void> {
  await discardWaitingDay(store, day);
  await deleteCheckpoint(store, { day });
}

/** Deletes a day's checkpoint and waiting item. */
async function forgetReading(store: ChainStore, day: UtcDay): Promise<void> {
  // In this order: after a crash in between, the checkpoint shows the next run that writes are left.
  await deleteWaitingDay(store, day);
  await deleteCheckpoint(store, { day });
}

/**
 * Completes the restatements that are done. When a restated day does not begin after the last block of the day before, the day before is
 * restated too, and so on. A half-read day after it starts over if it does not continue it.
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

/** Completes what a replaced day means for the days around it. */
async function reconcileAround(store: ChainStore, restated: UtcDay, restatement: Restatement): Promise<void> {
  const [figures, dayBefore] = [await getDay(store, restated), await getDay(store, addDays(restated, -1))];
  if (figures?.parentHash !== undefined && dayBefore && dayBefore.last.hash !== figures.parentHash) {
    const reason = followingReason(restatement.reason);
    await requestRestatement(store, dayBefore.day, { ...restatement, reason });
  }
  const after = await getCheckpoint(store, addDays(restated, 1));
  if (figures && after.progress && after.progress.parentHash !== figures.last.hash) {
    await startDayOver(store, after.day);
  }
  await settleConflictsAround(store, restated);
}

const FOLLOWING = 'the day after was restated: ';

/** Returns the reason of the restatement of the day before. It does not grow from day to day. */
const followingReason = (reason: string): string =>
  reason.startsWith(FOLLOWING) ? reason : cutReason(`${FOLLOWING}${reason}`);
