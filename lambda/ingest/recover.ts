import { addDays, type UtcDay } from '../chains/utc-day.ts';
import { cutReason } from '../store/attributes.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Restatement } from '../store/checkpoint-item.ts';
import { deleteCheckpoint, getCheckpoint } from '../store/checkpoints.ts';
import { refreshCoverage } from '../store/coverage.ts';
import { getDay } from '../store/days.ts';
import { listRestatements, requestRestatement, restatementState } from '../store/restatements.ts';
import { firstMissingDay, oldestMissingDay } from './plan.ts';

/*
 * The writes that follow a published day. They are separate and idempotent, and a crash may come between any two; so
 * each run begins with them, and each day ends with them.
 */

/**
 * Moves the coverage over days that are final, unless an earlier run has done so.
 * @param from first day to ingest
 * @returns the first day that is not final
 */
export async function settleMissingDays(store: ChainStore, from: UtcDay): Promise<UtcDay> {
  const day = await oldestMissingDay(store, from);
  return (await getDay(store, day)) ? settlePublished(store, from, day) : day;
}

/**
 * Moves the coverage over a day that was just published and the final days after it, and removes its checkpoint.
 * @returns the first day that is not final
 */
export async function settlePublished(store: ChainStore, from: UtcDay, day: UtcDay): Promise<UtcDay> {
  // In this order: a crash in between leaves the coverage behind, and the next run does both again.
  await deleteCheckpoint(store, { day });
  return firstMissingDay(await refreshCoverage(store, from), from);
}

/**
 * Settles a day that was read alone.
 * @returns whether the day is final and no restatement of it is open
 */
export async function settleDay(store: ChainStore, day: UtcDay, from: UtcDay): Promise<boolean> {
  const [final, restatements] = await Promise.all([getDay(store, day), listRestatements(store, day)]);
  if (!final || restatements.length > 0) return false;
  // In this order: while its checkpoint exists, the next run of the day knows that this is still to be done.
  await refreshCoverage(store, from);
  await deleteCheckpoint(store, { day });
  return true;
}

/**
 * Returns whether a day is final. Settles it if an interrupted run has published it out of turn, which its checkpoint shows.
 */
export async function isSettled(store: ChainStore, day: UtcDay, from: UtcDay): Promise<boolean> {
  const [final, { sequence }] = await Promise.all([getDay(store, day), getCheckpoint(store, day)]);
  if (final && sequence > 0) await settleDay(store, day, from);
  return final !== undefined;
}

/**
 * Settles the restatements that are done.
 * @param day only this day
 */
export async function settleRestatements(store: ChainStore, from: UtcDay, day?: UtcDay): Promise<void> {
  for (const { day: restated, restatement } of await listRestatements(store, day)) {
    if (!restatement) continue;
    const state = await restatementState(store, restated, restatement);
    if (state === 'open') continue;
    const isEndMoved = state !== 'void' && state.isEndMoved;
    await settleRestatement(store, from, restated, restatement, isEndMoved);
  }
}

/** When a restated day ends with another block, the next day began from a wrong one: it is restated too, and so on. */
async function settleRestatement(
  store: ChainStore,
  from: UtcDay,
  day: UtcDay,
  restatement: Restatement,
  isEndMoved: boolean,
): Promise<void> {
  const next = addDays(day, 1);
  if (isEndMoved) {
    await deleteCheckpoint(store, { day: next });
    await requestRestatement(store, next, { ...restatement, reason: followingReason(restatement.reason) });
  }
  // The coverage tells caches that a final day has changed.
  await refreshCoverage(store, from, [day]);
  await deleteCheckpoint(store, { day, restatement });
}

const FOLLOWING = 'the day before was restated: ';

/** Returns the reason of the next day's restatement. It does not grow from day to day. */
const followingReason = (reason: string): string =>
  reason.startsWith(FOLLOWING) ? reason : cutReason(`${FOLLOWING}${reason}`);
