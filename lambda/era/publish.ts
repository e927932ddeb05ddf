import pMap from 'p-map';
import { earlier, type UtcDay } from '../chains/utc-day.ts';
import { type CompleteDay, publishDay } from '../ingest/complete-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { deleteCheckpoint } from '../store/checkpoints.ts';
import { getCoverage, refreshCoverage } from '../store/coverage.ts';
import { listFinalDays } from '../store/days.ts';

/** Days that became final, and the conflicts with days that are final already. */
export interface Published {
  readonly days: readonly UtcDay[];
  readonly conflicts: readonly { readonly day: UtcDay; readonly reason: string }[];
}

/** Days published at once: each waits for a few calls of the table. */
const CONCURRENCY = 8;

/**
 * Publishes complete days. Idempotent, as their figures follow from their blocks alone.
 * @param from first day of the chain's schedule, where the coverage begins
 * @param now milliseconds since 1970
 */
export async function publishDays(
  store: ChainStore,
  from: UtcDay,
  complete: readonly CompleteDay[],
  now: number,
): Promise<Published> {
  const first = complete.reduce((day, { progress }) => earlier(progress.day, day), '9999-12-31');
  const before = new Set(complete.length > 0 ? await listFinalDays(store, first) : []);
  const outcomes = await pMap(
    complete,
    async (one) => {
      const { day } = one.progress;
      const conflict = await publishDay(store, one, now);
      if (!conflict) await deleteCheckpoint(store, { day });
      return { day, conflict };
    },
    { concurrency: CONCURRENCY },
  );
  const days = outcomes.flatMap(({ day, conflict }) => (conflict || before.has(day) ? [] : [day]));
  if (days.length > 0 || (complete.length > 0 && (await isCoverageBehind(store)))) {
    await refreshCoverage(store, from);
  }
  const conflicts = outcomes.flatMap(({ day, conflict }) =>
    conflict ? [{ day, reason: conflict.reason }] : [],
  );
  return { days, conflicts };
}

/** Returns whether final days lack in the coverage, as after a run that ended right after it published them. */
async function isCoverageBehind(store: ChainStore): Promise<boolean> {
  const [coverage, final] = await Promise.all([getCoverage(store), listFinalDays(store, '0000-01-01')]);
  const { proven = 0, checked = 0 } = coverage?.summary?.daysByEvidence ?? {};
  return proven + checked !== final.length;
}
