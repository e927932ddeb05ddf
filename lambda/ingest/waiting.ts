import { addDays } from '../chains/utc-day.ts';
import { deleteWaitingDay, listWaitingDays, type WaitingDay } from '../store/waiting-days.ts';
import { type VoteResult, voteOn } from './anchor.ts';
import { knownEndOf } from './connect.ts';
import type { Conflict, RunEnd } from './outcomes.ts';
import { type CompleteDay, publishDay } from './publish-day.ts';
import type { DayRun } from './read-day.ts';
import { settleDays } from './settle.ts';
import { suspect } from './suspects.ts';

/** After this time, the hosts vote on the block after a waiting day. */
const MAX_WAIT_MS = 24 * 3_600_000;

/**
 * Publishes the waiting days that the day after them continues by hash, the latest first. Those that it contradicts are discarded, and
 * read again.
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
      const problem = `${host}: ${source.chain.name} ${day} does not end with the parent of the day after it`;
      if (host !== undefined) await suspect(source, store, host, problem);
      await deleteWaitingDay(store, day);
      await settleDays(store, from, []);
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
