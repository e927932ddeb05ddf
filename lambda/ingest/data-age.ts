import { addDays, startOfDay, type UtcDay } from '../chains/utc-day.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { getCoverage } from '../store/coverage.ts';
import { tryBriefly } from './after-run.ts';

/**
 * Returns the age of the data: seconds since the end of the last contiguous final day, or since the start of the first day
 * to ingest. It drops when a day becomes final. If it grows for longer than a day, the ingest of the chain is stuck.
 * @param from first day to ingest
 * @returns undefined when the table does not answer, which is logged
 */
export function dataAgeSeconds(
  store: ChainStore,
  from: UtcDay,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const age = getCoverage(store).then((coverage) => {
    const firstMissing = coverage ? addDays(coverage.through, 1) : from;
    return Math.max(0, Math.round(clock.now() / 1_000 - startOfDay(firstMissing)));
  });
  return tryBriefly(store, age, 'the age of the data is unknown', clock);
}
