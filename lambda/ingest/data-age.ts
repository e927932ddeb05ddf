import { addDays, startOfDay, type UtcDay } from '../chains/utc-day.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { getCoverage } from '../store/coverage.ts';

/** A run has little time at its end, and must still log its report. */
const TIMEOUT_MS = 2_000;

/**
 * Returns the age of the data: seconds since the end of the last contiguous final day, or since the start of the first day
 * to ingest. It drops when a day becomes final. If it grows for longer than a day, the ingest of the chain is stuck.
 * @param from first day to ingest
 * @returns undefined when the table does not answer, which is logged
 */
export async function dataAgeSeconds(
  store: ChainStore,
  from: UtcDay,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const timer = new AbortController();
  const timeout = clock.sleep(TIMEOUT_MS, timer.signal).then(() => {
    throw new Error(`The table did not answer within ${TIMEOUT_MS / 1_000} s`);
  });
  try {
    const coverage = await Promise.race([getCoverage(store), timeout]);
    const firstMissing = coverage ? addDays(coverage.through, 1) : from;
    return Math.max(0, Math.round(clock.now() / 1_000 - startOfDay(firstMissing)));
  } catch (error) {
    console.warn({ chain: store.chain, problem: 'the age of the data is unknown', reason: String(error) });
    return undefined;
  } finally {
    timer.abort();
  }
}
