import { voteOn } from '../anchor/anchor.ts';
import { mayVouch } from '../anchor/network.ts';
import type { BlockReader } from '../blocks/block-stream.ts';
import { type BlockRef, type Finality, reportedBy } from '../figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import type { Restatement } from '../figures/day-figures.ts';
import { type DayProgress, startDayProgress } from '../figures/progress.ts';
import { fetched, type NoEndpoint } from '../rpc/failover.ts';
import {
  type Checkpoint,
  deleteCheckpoint,
  getCheckpoint,
  listRestatements,
} from '../store/days/checkpoints.ts';
import { getDay } from '../store/days/days.ts';
import { putWaitingDay } from '../store/days/waiting-days.ts';
import type { DayRun } from './day-run.ts';
import { feedOfDay } from './feed-of-day.ts';
import { checkStart, findDayStart } from './find-day-start.ts';
import { type KnownEnd, knownEndOf } from './known-end.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type CompleteDay, republishDay } from './publish-day.ts';
import { finalizeDay, publishWaitingDays } from './publish-waiting-days.ts';
import { type ReadOutcome, readDay } from './read-day.ts';
import { reconcileRestatements } from './reconcile.ts';
import { refreshCoverage } from './refresh-coverage.ts';
import { ruleChange } from './rule-change.ts';
import type { RunOutcome } from './run-outcome.ts';
import { conflict, discardIfContradicted, type Orphaned, undoLateEnd, wrongNeighbor } from './undo.ts';

export type DayOutcome =
  | RunOutcome
  | { readonly kind: 'final' }
  /** Every block is read, and the day becomes final once the day after it is. */
  | { readonly kind: 'waiting' }
  /** The day is before the chain's first block. */
  | { readonly kind: 'begins later'; readonly day: UtcDay };

/**
 * Reads a day and publishes it. After blocks were discarded, tries again from other endpoints.
 * @param stored its checkpoint, of its first reading or of a restatement
 */
export async function ingestDay(run: DayRun, reader: BlockReader, stored: Checkpoint): Promise<DayOutcome> {
  const { day } = stored;
  let checkpoint: Checkpoint | undefined = stored;
  for (let tries = run.blocks.retries; ; tries--) {
    const end = await knownEndOf(run, day);
    const result = await tryDay(run, reader, checkpoint, end);
    if (result.kind !== 'orphaned' && result.kind !== 'no endpoint') return result;
    const wrong = await wrongNeighbor(run, day, end);
    if (wrong) return wrong;
    checkpoint = result.kind === 'orphaned' && tries > 0 ? await reload(run, stored) : undefined;
    if (!checkpoint) return result;
  }
}

async function reload({ store }: DayRun, { day, restatement }: Checkpoint): Promise<Checkpoint | undefined> {
  if (!restatement) return getCheckpoint(store, day);
  return (await listRestatements(store, day))[0];
}

/** @param end the last block of the day, if it is known */
async function tryDay(
  run: DayRun,
  reader: BlockReader,
  stored: Checkpoint,
  end: KnownEnd | undefined,
): Promise<DayOutcome> {
  const { store, stats } = run;
  if (end && end.number < 0) return { kind: 'begins later', day: addDays(stored.day, 1) };
  const last = end ? fetched(end) : await run.blocks.lastBlock();
  if (last.kind === 'no endpoint') return last;
  const begun = await begin(run, stored, end, last.value);
  if (begun.kind !== 'begun') return begun;
  if (begun.progress.day !== stored.day) return { kind: 'begins later', day: begun.progress.day };
  const { progress, feed } = await feedOfDay(run, begun.progress);
  const ledger = createLedger(store, stored, progress);
  // Before the first block: after a crash right after publication, the checkpoint shows the next run that the day must be settled.
  if (!(await ledger.save())) return { kind: 'overtaken' };
  if (!stored.restatement) stats.reached = Math.max(stats.reached ?? 0, progress.notBefore);
  const { last: block, notBefore } = progress;
  const stream = await reader.from({ block, notBefore }, last.value, feed);
  const outcome = await readDay(run, { ledger, stream, end });
  if (outcome.kind === 'complete') return finishDay(run, ledger, outcome, end);
  if (outcome.kind !== 'up to date') return outcome;
  // The running day may continue a day that waits.
  return publishWaitingDays(run);
}

/** Continues from the checkpoint, or finds where the day begins. If this day or the day before is to be restated, the end of the day before is not relied on. */
async function begin(
  run: DayRun,
  { day, progress, restatement }: Checkpoint,
  end: BlockRef | undefined,
  last: BlockRef,
): Promise<{ readonly kind: 'begun'; readonly progress: DayProgress } | NoEndpoint | RunOutcome> {
  const { source, store, blocks } = run;
  if (startOfDay(day) > source.anchor.timestamp) return { kind: 'up to date' };
  if (progress?.first) return { kind: 'begun', progress };
  const late = end && (await undoLateEnd(run, day, end));
  if (late) return late;
  const dayBefore = restatement ? undefined : await getDay(store, addDays(day, -1));
  if (dayBefore && (await listRestatements(store, dayBefore.day)).length === 0)
    return { kind: 'begun', progress: startDayProgress(day, dayBefore.last) };
  const found = await findDayStart(source, day, last, blocks.headers());
  if (found.kind !== 'found') return found;
  return { kind: 'begun', progress: startDayProgress(found.day, found.before) };
}

type Complete = Extract<ReadOutcome, { kind: 'complete' }>;

/** Publishes a day whose blocks are all counted, or lets it wait for the day after it. */
async function finishDay(
  run: DayRun,
  ledger: Ledger,
  complete: Complete,
  end: KnownEnd | undefined,
): Promise<DayOutcome> {
  const { source, store, from } = run;
  const { progress, next } = complete;
  const { restatement } = ledger.checkpoint();
  const support: Support = end
    ? { kind: 'supported', finality: end.finality }
    : await supportOf(run, ledger, complete);
  if (support.kind === 'orphaned') return support;
  // After the vote: about a forged block, only the liar would respond.
  const change = await ruleChange(source, progress);
  if (change) return change;
  const now = source.context.clock.now();
  if (support.kind === 'none') {
    if (restatement || !next) return { kind: 'waiting' };
    await putWaitingDay(store, { progress, next, since: now });
    await refreshCoverage(store, from);
    return { kind: 'waiting' };
  }
  const day = { progress, finality: support.finality };
  const problem = await (restatement ? restateDay(run, day, restatement, now) : finalizeDay(run, day));
  if (problem) return problem;
  const others = await publishWaitingDays(run);
  // Another day that starts over does not concern this one.
  return others.kind === 'up to date' || others.kind === 'orphaned' ? { kind: 'final' } : others;
}

/** @returns why the day is not restated, if it is not */
async function restateDay(
  run: DayRun,
  day: CompleteDay,
  restatement: Restatement,
  now: number,
): Promise<RunOutcome | undefined> {
  const { store, from, stats, sendEvents } = run;
  const { progress } = day;
  const start = await checkStart(run, progress);
  if (start.kind === 'no endpoint') return start;
  if (start.kind === 'late start') {
    const dayBefore = addDays(progress.day, -1);
    return conflict(dayBefore, `${start.reason}. Verify ${dayBefore}, and restate it.`);
  }
  const checked = { ...day, isStartChecked: !start.isProven };
  const result = await republishDay(store, checked, restatement, now);
  if (result === 'overtaken') return { kind: 'overtaken' };
  if (result === 'unchanged') {
    await deleteCheckpoint(store, { day: progress.day, restatement });
    return undefined;
  }
  await reconcileRestatements(store, from, progress.day);
  stats.restated.push(progress.day);
  await sendEvents();
  return undefined;
}

type Support =
  | { readonly kind: 'supported'; readonly finality: Finality }
  | { readonly kind: 'none' }
  | Orphaned;

/** Returns what confirms the end of a day that no later day names. */
async function supportOf(run: DayRun, ledger: Ledger, { next }: Complete): Promise<Support> {
  const { source } = run;
  if (!next || !mayVouch(source)) return { kind: 'none' };
  const vote = await voteOn(source, next);
  if (vote.kind === 'undecided' || (run.isAlone && vote.kind === 'supported')) return { kind: 'none' };
  if (vote.kind === 'supported') return { kind: 'supported', finality: reportedBy(vote.hosts) };
  return (await discardIfContradicted(run, ledger, next, vote)) ?? { kind: 'none' };
}
