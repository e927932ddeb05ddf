import { addDays, dayOf, type UtcDay } from '../chains/utc-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Checkpoint, Restatement } from '../store/checkpoint-item.ts';
import { getCheckpoint } from '../store/checkpoints.ts';
import { type Coverage, getCoverage } from '../store/coverage.ts';
import { listRestatements, restatementState } from '../store/restatements.ts';

/* The next day to read. Only reads the table: recover.ts has settled the work of interrupted runs. */

/** Returns the first day since `from` that is not final. */
export const oldestMissingDay = async (store: ChainStore, from: UtcDay): Promise<UtcDay> =>
  firstMissingDay(await getCoverage(store), from);

export const firstMissingDay = (coverage: Coverage | undefined, from: UtcDay): UtcDay =>
  coverage?.from === from ? addDays(coverage.through, 1) : from;

/**
 * Returns the days to read before the oldest missing day: the newest complete day, so that no gap delays a new day. If the day before
 * it has begun, that comes first: a chain that needs more than a day for a day would otherwise complete none.
 * @param head timestamp of the newest final block, in seconds
 */
export async function newestDays(store: ChainStore, from: UtcDay, head: number): Promise<readonly UtcDay[]> {
  const newest = addDays(dayOf(head), -1);
  if (newest <= (await oldestMissingDay(store, from))) return [];
  const dayBefore = addDays(newest, -1);
  const { progress } = await getCheckpoint(store, dayBefore);
  return progress ? [dayBefore, newest] : [newest];
}

export type OpenRestatement = Checkpoint & { readonly restatement: Restatement };

/**
 * Returns the earliest restatement that is still to be done.
 * @param day only this day, also one that an operator restates by hand
 */
export async function nextRestatement(store: ChainStore, day?: UtcDay): Promise<OpenRestatement | undefined> {
  for (const checkpoint of await listRestatements(store, day)) {
    const { restatement } = checkpoint;
    if (!restatement || (restatement.isByHand && day === undefined)) continue;
    if ((await restatementState(store, checkpoint.day, restatement)) === 'open')
      return { ...checkpoint, restatement };
  }
  return undefined;
}
