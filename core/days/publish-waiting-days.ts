import { voteOn } from '../anchor/anchor.ts';
import { reportedBy } from '../figures/block.ts';
import { addDays, dayOf, type UtcDay } from '../figures/calendar.ts';
import { startDayProgress } from '../figures/progress.ts';
import { getCheckpoint } from '../store/days/checkpoints.ts';
import { getDay } from '../store/days/days.ts';
import { listDiscardedDays, listWaitingDays, type WaitingDay } from '../store/days/waiting-days.ts';
import type { ChainStore } from '../store/table/table.ts';
import { type DayRun, type DayState, orphaned, type RunOutcome } from './day-run.ts';
import { knownEndOf } from './known-end.ts';
import { feedOfDay } from './price-days.ts';
import { type CompleteDay, finalizeDay } from './publish-day.ts';
import { reconcileDays } from './reconcile.ts';
import { undoWaitingDay } from './undo.ts';

/** The number of days that share one write of the coverage, because each write reads all days. */
const DAYS_TOGETHER = 50;
/** After this time, the hosts vote on the block after the last waiting day of a range. */
const MAX_WAIT_MS = 24 * 3_600_000;

/**
 * Publishes the waiting days whose end the day after or the hosts confirm, the latest first. Discards those whose end is contradicted;
 * they are read again.
 * @param isClosing also lets the hosts vote on the last day of each range, however long it has waited
 */
export async function publishWaitingDays(run: DayRun, isClosing = false): Promise<RunOutcome> {
  const problem = await publishTogether(run, confirmedDays(run, isClosing));
  if (problem) return problem;
  const { store, source } = run;
  const discarded = isClosing ? await listDiscardedDays(store) : [];
  if (discarded.length === 0) return { kind: 'up to date' };
  const reason = `${source.chain.name} ${discarded.join(', ')}: a block was contradicted after it was read. The next run reads on.`;
  return orphaned(reason);
}

/** Yields the waiting days whose end is confirmed, and discards those whose end is contradicted. */
async function* confirmedDays(run: DayRun, isClosing: boolean): AsyncGenerator<CompleteDay> {
  const { store, source } = run;
  const still = new Set<string>();
  for (const waiting of (await listWaitingDays(store)).toReversed()) {
    source.context.signal.throwIfAborted();
    const { progress, since } = waiting;
    const { day } = progress;
    const isLast = !still.has(addDays(day, 1));
    const isDue = isClosing || source.context.clock.now() - since > MAX_WAIT_MS;
    const end = await checkEnd(run, waiting, isLast && isDue);
    if (!end) still.add(day);
    else if (end.wrong) await undoWaitingDay(run, day, end.wrong);
    else yield { progress, finality: end.finality };
  }
}

/**
 * Yields the days before a final day without blocks that have none either: private networks may be idle for years. They end with
 * the same block, for the same reason.
 */
export async function* emptyDaysBefore(run: DayRun, { progress, finality }: CompleteDay) {
  const { store, from, source, blocks } = run;
  const { last } = progress;
  const read = last && (await blocks.readKnown(last));
  // Without it, these days are read one by one.
  if (read?.kind !== 'fetched') return;
  const dayOfLast = dayOf(read.value.timestamp);
  for (let day = addDays(progress.day, -1); day >= from && day > dayOfLast; day = addDays(day, -1)) {
    source.context.signal.throwIfAborted();
    const { progress: begun } = await getCheckpoint(store, day);
    if (begun || (await stateOf(store, day))) return;
    yield { progress: (await feedOfDay(run, startDayProgress(day, last))).progress, finality };
  }
}

/** Publishes complete days. Many of them share the writes that follow. @returns why one is not published */
export async function publishTogether(run: DayRun, days: AsyncIterable<CompleteDay>) {
  const published: UtcDay[] = [];
  try {
    for await (const day of days) {
      const problem = await finalizeDay(run, day);
      if (problem) return problem;
      published.push(day.progress.day);
      if (published.length === DAYS_TOGETHER) await completeDays(run, published.splice(0));
    }
  } finally {
    // Also when a request was aborted or failed: these days are final.
    await completeDays(run, published);
  }
  return undefined;
}

/** Completes the writes that follow published days. If a run crashes before this, the next one completes them. */
export async function completeDays(run: DayRun, days: readonly UtcDay[]): Promise<void> {
  if (days.length === 0) return;
  await reconcileDays(run.store, run.from, days);
  run.stats.days.push(...days);
  for (const day of days) run.onDay?.(day);
  await run.sendEvents();
}

/** Returns why the last block of a waiting day is final, or which block is wrong. The day after it decides, or else the hosts vote. */
async function checkEnd(run: DayRun, { progress, next }: WaitingDay, mayVote: boolean) {
  const { source } = run;
  const { day, last } = progress;
  const end = await knownEndOf(run, day);
  if (end && last?.hash === end.hash) return { finality: end.finality };
  // If the day continues, the block that seemed to follow it is wrong, and its last one may be right.
  if (end && last) return { wrong: end.number > last.number ? next : last };
  // After a long wait the hosts are believed, even on a chain that proves its finality, unless the stage requires proofs.
  if (!mayVote || source.quorum === 1 || source.isProofRequired) return undefined;
  const vote = await voteOn(source, next);
  if (vote.kind === 'undecided') return undefined;
  return vote.kind === 'supported' ? { finality: reportedBy(vote.hosts) } : { wrong: next };
}

/** Returns whether a day is final or waiting; undefined if it is still to be read. */
export async function stateOf(store: ChainStore, day: UtcDay): Promise<DayState | undefined> {
  if (await getDay(store, day)) return 'final';
  const isWaiting = (await listWaitingDays(store)).some(({ progress }) => progress.day === day);
  return isWaiting ? 'waiting' : undefined;
}
