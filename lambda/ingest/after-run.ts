import { type Clock, systemClock } from '../clock.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { saveLag } from '../store/lag.ts';
import type { IngestReport } from './report.ts';

/** A run has little time at its end, and must still log its report. */
const TIMEOUT_MS = 2_000;

/**
 * Waits two seconds for a request to the table that a run can end without.
 * @param problem logged with the reason if the request fails or takes longer
 * @returns undefined then
 */
export async function tryBriefly<T>(
  { chain }: ChainStore,
  request: Promise<T>,
  problem: string,
  clock: Clock,
): Promise<T | undefined> {
  const timer = new AbortController();
  const timeout = clock.sleep(TIMEOUT_MS, timer.signal).then(() => {
    throw new Error(`The table did not answer within ${TIMEOUT_MS / 1_000} s`);
  });
  try {
    return await Promise.race([request, timeout]);
  } catch (error) {
    console.warn({ chain, problem, reason: String(error) });
    return undefined;
  } finally {
    timer.abort();
  }
}

/** Saves how far a run for all missing days is behind the chain, unless it read no block. */
export async function recordLag(
  store: ChainStore,
  { lagSeconds }: IngestReport,
  clock: Clock = systemClock,
): Promise<void> {
  if (lagSeconds === undefined) return;
  const saved = saveLag(store, { seconds: lagSeconds, seenAt: clock.now() });
  await tryBriefly(store, saved, 'the lag was not saved', clock);
}
