import { addDays, type UtcDay } from '../chains/utc-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Checkpoint, Restatement } from '../store/checkpoint-item.ts';
import { getCoverage } from '../store/coverage.ts';
import { listRestatements, restatementState } from '../store/restatements.ts';

/* Decides the next work. Only reads the table; recover.ts has settled what an interrupted run left behind. */

/** Returns the first day since `from` that is not final. */
export async function oldestMissingDay(store: ChainStore, from: UtcDay): Promise<UtcDay> {
  const coverage = await getCoverage(store);
  return coverage?.from === from ? addDays(coverage.through, 1) : from;
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
