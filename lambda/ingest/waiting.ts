import { addDays } from '../chains/utc-day.ts';
import { refreshCoverage } from '../store/coverage.ts';
import { deleteWaitingDay, listWaitingDays, type WaitingDay } from '../store/waiting-days.ts';
import { type VoteResult, voteOn } from './anchor.ts';
import { knownEndOf } from './connect.ts';
import type { Conflict, RunEnd } from './outcomes.ts';
import { type CompleteDay, publishDay } from './publish-day.ts';
import type { DayRun } from './read-day.ts';
import { settleDays } from './settle.ts';
import { suspect } from './suspects.ts';

/** After this time, the hosts vote on the block after the last waiting day of a range. */
const MAX_WAIT_MS = 24 * 3_600_000;

/**
 * Publishes the waiting days whose end the day after or the hosts confirm, the latest first. Discards those whose end is contradicted;
 * they are read again.
 * @param isClosing also lets the hosts vote on the last day of each range, however long it has waited
 */
export async function publishWaitingDays(run: DayRun, isClosing = false): Promise<RunEnd> {
  const { store, from, source } = run;
  const still = new Set<string>();
  for (const waiting of (await listWaitingDays(store)).toReversed()) {
    const { day } = waiting.progress;
    const isLast = !still.has(addDays(day, 1));
    const isDue = isClosing || source.context.clock.now() - waiting.since > MAX_WAIT_MS;
    const vote = await voteOnEnd(run, waiting, isLast && isDue);
    if (vote.kind === 'undecided') {
      still.add(day);
      continue;
    }
    if (vote.kind === 'contradicted') {
      const { host } = waiting.progress.last ?? {};
      const problem = `${host}: the last block of ${source.chain.name} ${day} is not canonical`;
      if (host !== undefined) await suspect(source, store, host, problem);
      await deleteWaitingDay(store, day);
      await refreshCoverage(store, from);
      continue;
    }
    const problem = await finalizeDay(run, { progress: waiting.progress, confirmedBy: vote.hosts });
    if (problem) return problem;
  }
  return { kind: 'up to date' };
}

/** Publishes a day, with all that follows from it. */
export async function finalizeDay(run: DayRun, complete: CompleteDay): Promise<Conflict | undefined> {
  const { store, from, stats, source } = run;
  const problem = await publishDay(store, complete, source.context.clock.now());
  if (problem) return problem;
  const { day } = complete.progress;
  await settleDays(store, from, [day]);
  stats.days.push(day);
  await run.sendEvents();
  return undefined;
}

/** Returns whether the last block of a waiting day is canonical: by the day after it, or by the votes of the hosts. */
async function voteOnEnd(
  run: DayRun,
  { progress, next }: WaitingDay,
  mayVote: boolean,
): Promise<{ readonly kind: 'contradicted' } | Exclude<VoteResult, { kind: 'contradicted' }>> {
  const known = await knownEndOf(run, progress.day);
  if (known.kind !== 'known') return { kind: 'undecided', reason: known.reason };
  if (known.end) {
    const isEnd = known.end.hash === progress.last?.hash;
    return isEnd ? { kind: 'supported', hosts: [] } : { kind: 'contradicted' };
  }
  if (!mayVote || run.source.quorum === 1) return { kind: 'undecided', reason: '' };
  return voteOn(run.source, next);
}
