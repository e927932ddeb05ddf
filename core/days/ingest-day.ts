import { voteOn } from '../anchor/anchor.ts';
import { suspect } from '../anchor/suspects.ts';
import type { BlockReader } from '../blocks/block-stream.ts';
import { RULES_KNOWN_UNTIL } from '../chains/fork-times.ts';
import { type BlockRef, reportedBy, type SummedBlock } from '../figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import { policyAt } from '../figures/day-figures.ts';
import { type DayProgress, startDayProgress } from '../figures/progress.ts';
import { fetched } from '../rpc/failover.ts';
import { type Checkpoint, getCheckpoint, listRestatements } from '../store/days/checkpoints.ts';
import { getDay } from '../store/days/days.ts';
import { putWaitingDay } from '../store/days/waiting-days.ts';
import type { DayRun, RunOutcome } from './day-run.ts';
import { findDayStart } from './find-day-start.ts';
import { type KnownEnd, knownEndOf } from './known-end.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { feedOfDay } from './price-days.ts';
import { finalizeDay, lacksStatedPrice } from './publish-day.ts';
import {
  completeDays,
  emptyDaysBefore,
  publishTogether,
  publishWaitingDays,
} from './publish-waiting-days.ts';
import { type ReadOutcome, readDay } from './read-day.ts';
import { refreshCoverage } from './refresh-coverage.ts';
import { ruleChange } from './rule-change.ts';
import { discardIfContradicted, undoLateEnd, wrongNeighbor } from './undo.ts';

export type DayOutcome =
  | RunOutcome
  /** The day is before the chain's first block. */
  | { readonly kind: 'begins later'; readonly day: UtcDay };

/**
 * Reads a day and publishes it. After blocks were discarded, tries again from other endpoints.
 * @param stored its checkpoint, of its first reading or of a restatement
 */
export async function ingestDay(run: DayRun, reader: BlockReader, stored: Checkpoint): Promise<DayOutcome> {
  const { day, sequence, restatement, progress, refusal } = stored;
  // If receipts are believed since the day was refused, its sums may still follow the old rule.
  const isBelieved =
    refusal && progress?.first && policyAt(run.source.evidence, progress.first.number) === 'stated';
  let checkpoint: Checkpoint | undefined = isBelieved ? { day, sequence, restatement } : stored;
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
  if (end && end.number < 0) return { kind: 'begins later', day: addDays(stored.day, 1) };
  const last = end ? fetched(end) : await run.blocks.lastBlock();
  if (last.kind === 'no endpoint') return last;
  const begun = await begin(run, stored, end, last.value);
  if ('kind' in begun) return begun;
  if (begun.day !== stored.day) return { kind: 'begins later', day: begun.day };
  const { progress, feed } = await feedOfDay(run, begun);
  const ledger = createLedger(run.store, stored, progress);
  // Saved before the first block is read: after a crash right after publication, it shows the next run that the day must be settled.
  if (!(await ledger.save())) return { kind: 'overtaken' };
  const { last: block, notBefore } = progress;
  if (!stored.restatement) run.stats.reached = Math.max(run.stats.reached ?? 0, notBefore);
  const stream = await reader.from({ block, notBefore }, last.value, feed);
  const read = await readDay(run, { ledger, stream, end });
  const result = read.kind === 'complete' ? await finishDay(run, ledger, read, end) : read;
  if (result.kind !== 'up to date' || result.state === 'waiting') return result;
  // This day, even if it is the running one, may confirm the end of a day that waits.
  const others = await publishWaitingDays(run);
  // Another day that starts over does not concern this one.
  return others.kind === 'up to date' || others.kind === 'orphaned' ? result : others;
}

/** Continues from the checkpoint, or finds where the day begins. Does not rely on the day before if that or this day is to be restated. */
async function begin(
  run: DayRun,
  { day, progress, restatement }: Checkpoint,
  end: BlockRef | undefined,
  last: BlockRef,
): Promise<DayProgress | RunOutcome> {
  const { source, store, blocks } = run;
  if (startOfDay(day) > source.anchor.timestamp) return { kind: 'up to date' };
  if (progress?.first) return progress;
  const late = end && (await undoLateEnd(run, day, end));
  if (late) return late;
  const dayBefore = restatement ? undefined : await getDay(store, addDays(day, -1));
  if (dayBefore && (await listRestatements(store, dayBefore.day)).length === 0)
    return startDayProgress(day, dayBefore.last);
  const found = await findDayStart(source, day, last, blocks.headers(), (host, reason) =>
    suspect(source, store, host, `${host}: ${reason}`),
  );
  return found.kind === 'found' ? startDayProgress(found.day, found.before) : found;
}

const NOT_STATED = `no node states its price of blobs or of L1 data, and forks are known here until ${RULES_KNOWN_UNTIL} only`;

/** Publishes a day whose blocks are all counted, or lets it wait for the day after it. */
async function finishDay(
  run: DayRun,
  ledger: Ledger,
  { progress: read, next }: Extract<ReadOutcome, { kind: 'complete' }>,
  end: KnownEnd | undefined,
): Promise<DayOutcome> {
  const { source, store, from } = run;
  const { restatement } = ledger.checkpoint();
  const finality = end?.finality ?? (next && (await confirmEnd(run, ledger, next)));
  if (finality?.kind === 'orphaned') return finality;
  // After the vote, because only the host that forged a block would answer questions about it.
  const progress = await ruleChange(source, read);
  if ('kind' in progress) return progress;
  if (lacksStatedPrice(progress))
    run.stats.notProven.set(read.day, `${source.chain.name} ${read.day}: ${NOT_STATED}`);
  if (!finality) {
    if (restatement || !next) return { kind: 'up to date', state: 'waiting' };
    await putWaitingDay(store, { progress, next, since: source.context.clock.now() });
    await refreshCoverage(store, from);
    return { kind: 'up to date', state: 'waiting' };
  }
  const day = { progress, finality };
  const problem = await finalizeDay(run, day, restatement);
  if (problem) return problem;
  if (!restatement) {
    const empty = progress.first || run.isAlone ? undefined : emptyDaysBefore(run, day);
    const other = empty && (await publishTogether(run, empty));
    // Last, so that after a crash its checkpoint shows the next run that writes are left.
    await completeDays(run, [progress.day]);
    if (other && other.kind !== 'orphaned') return other;
  }
  return { kind: 'up to date', state: 'final' };
}

/**
 * Lets the hosts vote on the end of a day that no later day names.
 * @param next the first block of a later day
 * @returns undefined where nothing confirms it yet
 */
async function confirmEnd(run: DayRun, ledger: Ledger, next: SummedBlock) {
  const { source, isAlone } = run;
  // A single host cannot confirm a block before its final one. Under a proven anchor, the day waits until hashes link it to that.
  if (source.quorum === 1 || source.anchor.proof) return undefined;
  const vote = await voteOn(source, next);
  if (vote.kind === 'supported') return isAlone ? undefined : reportedBy(vote.hosts);
  return discardIfContradicted(run, ledger, next, vote);
}
