import { type Clock, systemClock } from '../clock.ts';
import { isFailed } from '../days/outcomes.ts';
import { addDays, startOfDay } from '../figures/calendar.ts';
import { FINAL_BLOCK, listConflicts, settleConflict, subjectOf } from '../store/chain/conflicts.ts';
import { type Coverage, getCoverage, getLag, saveLag } from '../store/chain/coverage.ts';
import type { ChainStore } from '../store/table/table.ts';
import type { IngestReport } from './report.ts';

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
function newestDataOf({ from_day, last_day, begun_at }: Coverage): number {
  if (last_day !== undefined) return startOfDay(addDays(last_day, 1)) * 1_000;
  return begun_at === undefined ? startOfDay(from_day) * 1_000 : Date.parse(begun_at);
}

/** A run has little time at its end, and must still log its report. */
const TIMEOUT_MS = 2_000;

/**
 * Waits at most two seconds, or `limit`, for a request that the run does not depend on.
 * @param problem logged with the reason if the request fails or takes longer
 * @returns undefined then
 */
export function tryBriefly<T>(
  { chain }: ChainStore,
  request: Promise<T>,
  problem: string,
  clock: Clock,
  limit = TIMEOUT_MS,
): Promise<T | undefined> {
  const timer = new AbortController();
  const timeout = clock.sleep(limit, timer.signal).then(() => {
    throw new Error(`There was no answer within ${limit / 1_000} s`);
  });
  return Promise.race([request, timeout])
    .catch((error: unknown) => {
      console.warn({ chain, problem, reason: String(error) });
      return undefined;
    })
    .finally(() => timer.abort());
}

/**
 * Settles a dispute about the final block once a run found one, and counts the final days whose conflicts a person must settle. That
 * dispute and missing proofs of finality do not count, because they delay days but change none.
 * @returns undefined when the table does not answer, which is logged
 */
export function reviewConflicts(
  store: ChainStore,
  { head, disputed }: IngestReport,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const isAgreed = head !== undefined && !disputed;
  const counted = listConflicts(store).then(async (conflicts) => {
    const settled = isAgreed ? conflicts.filter((conflict) => subjectOf(conflict) === FINAL_BLOCK) : [];
    for (const conflict of settled) await settleConflict(store, conflict);
    return conflicts.filter(({ day }) => day !== undefined).length;
  });
  return tryBriefly(store, counted, 'the open conflicts are unknown', clock);
}

/**
 * Returns for how many seconds a chain has not been read, if this run failed before it counted a block: since a run last counted one, or
 * since the first failure if none ever did. Nodes often fail for minutes, so one such run is not a reason for an alarm, but hours of them are.
 * @returns undefined for any other run, before the first failure, or when the table does not answer, which is logged
 */
export async function unreadSeconds(
  store: ChainStore,
  report: IngestReport,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  if (!isFailed(report) || report.blocks > 0) return undefined;
  const lag = await tryBriefly(store, getLag(store), 'the time of the last block is unknown', clock);
  return lag && Math.max(0, Math.round((clock.now() - Date.parse(lag.seen_at)) / 1_000));
}

/** An item of the table holds 400 KB, and a chain may have many endpoints. */
const MAX_PROBLEM_LENGTH = 2_000;

/** Saves how far a run for all missing days is behind the chain, and why it failed. If it did not measure the lag, the last one stays. */
export async function recordLag(
  store: ChainStore,
  { lagSeconds: seconds_behind, reason, refusedBlock: refused_block }: IngestReport,
  clock: Clock = systemClock,
): Promise<void> {
  if (seconds_behind === undefined && reason === undefined) return;
  const known = seconds_behind === undefined ? getLag(store) : Promise.resolve(undefined);
  const problem = reason?.slice(0, MAX_PROBLEM_LENGTH);
  const seen_at = new Date(clock.now()).toISOString();
  const saved = known.then((before) =>
    saveLag(store, { seconds_behind, seen_at, ...before, problem, refused_block }),
  );
  await tryBriefly(store, saved, 'the lag was not saved', clock);
}
