import { addDays, startOfDay, type UtcDay } from '../chains/utc-day.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { getCoverage } from '../store/coverage.ts';

/** A run has little time left at its end, and its report must not be lost for this. */
const WITHIN_MS = 2_000;

/**
 * How old the data is: seconds since the last of the days ended up to which all are final, or since the first day to
 * ingest began while none is. It grows for a day and drops when the next one is there; one that grows on tells of a chain
 * that does not get ahead, whatever the reason.
 * @param from first day to ingest
 * @returns undefined when the table cannot say, which is logged
 */
export async function dataAgeSeconds(
  store: ChainStore,
  from: UtcDay,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const timer = new AbortController();
  const tooLate = clock.sleep(WITHIN_MS, timer.signal).then(() => {
    throw new Error(`The table did not answer within ${WITHIN_MS / 1_000} s`);
  });
  try {
    const coverage = await Promise.race([getCoverage(store), tooLate]);
    const firstMissing = coverage ? addDays(coverage.through, 1) : from;
    return Math.max(0, Math.round(clock.now() / 1_000 - startOfDay(firstMissing)));
  } catch (error) {
    console.warn({ chain: store.chain, problem: 'the age of the data is not known', reason: String(error) });
    return undefined;
  } finally {
    timer.abort();
  }
}
