import { plannedFirstDay } from '../core/days/first-day.ts';
import { addDays, earlier, later, type UtcDay } from '../core/figures/calendar.ts';
import { dataAgeSeconds } from '../core/ingest/freshness.ts';
import { dueConflicts } from '../core/rows/chain-row.ts';
import { FINAL_BLOCK, listConflicts, subjectOf } from '../core/store/chain/conflicts.ts';
import { getLag } from '../core/store/chain/coverage.ts';
import { getFinality } from '../core/store/chain/finality-state.ts';
import { getSchedule } from '../core/store/chain/schedule.ts';
import { listArchiveFiles, provenFeesPercent, provingFile } from '../core/store/days/archives.ts';
import { getCheckpoint } from '../core/store/days/checkpoints.ts';
import { listEvidence } from '../core/store/days/days.ts';
import { listWaitingDays } from '../core/store/days/waiting-days.ts';
import { groupIntoRanges, missingDays, yesterday } from './day-ranges.ts';
import type { DayOptions } from './options.ts';
import type { ServedChain } from './service.ts';

export type ChainState = Awaited<ReturnType<typeof readStatus>>;

/** @param range the days to check: by default from the first stored or scheduled one to yesterday */
export async function readStatus(served: ServedChain, range: DayOptions) {
  const { name: chain, store } = served;
  const today = addDays(yesterday(), 1);
  const [days, lag, conflicts, dataAge, { state, checkpoint }, schedule, { final }] = await Promise.all([
    readDays(served, range),
    getLag(store),
    listConflicts(store),
    dataAgeSeconds(store),
    getFinality(store),
    getSchedule(store),
    getCheckpoint(store, today),
  ]);
  const isDisputed = conflicts.some((conflict) => subjectOf(conflict) === FINAL_BLOCK);
  return {
    chain,
    ...days,
    // Seconds since the last final day ended.
    data_age_seconds: dataAge,
    // Seconds from the newest counted block to the finalized one, when a run last measured it. Unknown while that one is disputed.
    seconds_behind: isDisputed ? undefined : lag?.seconds_behind,
    last_run_at: lag?.seen_at,
    // The reason why the last run failed.
    problem: lag?.problem,
    // The newest block that the chain itself proves to be final, and the checkpoint where its proofs began.
    proven_block: state?.block,
    checkpoint,
    // The running day, through its last final block; absent until there is one.
    today: final?.progress.first && {
      date: today,
      transaction_count: final.progress.totals.transactions,
      through: new Date(final.progress.notBefore * 1_000).toISOString(),
    },
    // The forks that hosts say are scheduled.
    scheduled: schedule?.forks ?? [],
    conflicts: dueConflicts(conflicts, Date.now()).map((conflict) => ({
      date: subjectOf(conflict),
      since: new Date(conflict.since).toISOString(),
      reason: conflict.reason,
    })),
  };
}

/** Reads which days of the range are final, wait or are missing. */
async function readDays({ chain, store, from, gap }: ServedChain, { startDate, endDate }: DayOptions) {
  const end = earlier(endDate ?? yesterday(), yesterday());
  const [planned, evidence, waitingDays] = await Promise.all([
    plannedFirstDay(store, chain, from, Date.now()),
    listEvidence(store),
    listWaitingDays(store),
  ]);
  const isInRange = (day: UtcDay) => day >= (startDate ?? chain.firstDay) && day <= end;
  const stored = evidence.filter(({ date }) => isInRange(date));
  const storedDays = stored.map(({ date }) => date);
  const final = stored.filter((day) => day.evidence !== 'archived');
  const archived = stored.length - final.length;
  const waiting = waitingDays.map(({ progress }) => progress.day).filter(isInRange);
  const start = later(startDate ?? earlier(storedDays[0] ?? planned, planned), chain.firstDay);
  const missing = missingDays(start, end, [...storedDays, ...waiting]);
  return {
    // The days that were checked.
    start_date: start,
    end_date: end,
    // The days that are served: final or archived.
    first_served_day: storedDays[0],
    last_served_day: storedDays.at(-1),
    first_final_day: final[0]?.date,
    last_final_day: final.at(-1)?.date,
    final_days: final.length,
    proven_days: final.filter((day) => day.evidence === 'proven').length,
    // Only of a chain with days from archives.
    archived_days: archived || undefined,
    last_archived_day: stored.findLast((day) => day.evidence === 'archived')?.date,
    proven_fees_percent: archived > 0 ? await provenFeesPercent(store) : undefined,
    // The archived day that scheduled runs prove, or could not prove.
    proving: archived > 0 ? provingFile(await listArchiveFiles(store))?.proving : undefined,
    // Read, final once the day after is.
    waiting: groupIntoRanges(waiting.filter((day) => !storedDays.includes(day))),
    missing: groupIntoRanges(missing),
    // The day that npm start leaves out on purpose, until someone ingests it.
    gap: gap !== undefined && missing.includes(gap) ? gap : undefined,
    unlinked: unlinkedDays(stored),
  };
}

/** Returns the days that do not continue the day before them. @param days ascending */
const unlinkedDays = (days: Awaited<ReturnType<typeof listEvidence>>) =>
  days.flatMap(({ date, parent_hash }, index) => {
    const before = days[index - 1];
    if (!before || addDays(before.date, 1) !== date || before.last_block.hash === parent_hash) return [];
    return [{ date, parent_hash, last_block_before: before.last_block }];
  });
