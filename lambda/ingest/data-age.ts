import { addDays, startOfDay } from '../chains/utc-day.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { type Coverage, getCoverage } from '../store/coverage.ts';
import { tryBriefly } from './after-run.ts';

/**
 * Returns the age of the data: seconds since the end of the newest final day, or since the chain's first run while no day is final. It
 * drops when a newer day becomes final, whatever older days are missing. If it grows for longer than a day, no new day arrives.
 * @returns undefined when the table does not answer, which is logged, or before the first run
 */
export function dataAgeSeconds(store: ChainStore, clock: Clock = systemClock): Promise<number | undefined> {
  const age = getCoverage(store).then(
    (coverage) => coverage && Math.max(0, Math.round((clock.now() - newestDataOf(coverage)) / 1_000)),
  );
  return tryBriefly(store, age, 'the age of the data is unknown', clock);
}

/** Returns since when newer data is missing, in milliseconds since 1970. */
function newestDataOf({ from, last, begunAt }: Coverage): number {
  if (last !== undefined) return startOfDay(addDays(last, 1)) * 1_000;
  return begunAt === undefined ? startOfDay(from) * 1_000 : Date.parse(begunAt);
}
