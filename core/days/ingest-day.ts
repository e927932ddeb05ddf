import { suspect } from '../anchor/suspects.ts';
import type { BlockReader } from '../blocks/block-stream.ts';
import { RULES_KNOWN_UNTIL } from '../chains/fork-times.ts';
import type { BlockRef, SummedBlock } from '../figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import { policyAt } from '../figures/day-figures.ts';
import { type DayProgress, startDayProgress } from '../figures/progress.ts';
import { fetched } from '../rpc/failover.ts';
import { type Checkpoint, getCheckpoint, listRestatements } from '../store/days/checkpoints.ts';
import { getDay } from '../store/days/days.ts';
import { wait } from '../transitions/wait.ts';
import type { DayRun, RunOutcome } from './day-run.ts';
import { type DayEnd, type NamedEnd, namedEnd, voteOnEnd } from './end.ts';
import { lacksStatedPrice } from './evidence.ts';
import { findDayStart } from './find-day-start.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { isTriedAgain } from './outcomes.ts';
import { feedOfDay } from './price-days.ts';
import { publishDay } from './publish-day.ts';
import { emptyDaysBefore, publishDays, publishWaitingDays } from './publish-waiting-days.ts';
import { type ReadOutcome, readDay } from './read-day.ts';
import { ruleChange } from './rule-change.ts';
import { discard, undoLateEnd, wrongNeighbor } from './undo.ts';

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
    refusal && progress?.first && policyAt(run.network.evidence, progress.first.number) === 'stated';
  let checkpoint: Checkpoint | undefined = isBelieved ? { day, sequence, restatement } : stored;
  for (let tries = run.blocks.retries; ; tries--) {
    const end = await namedEnd(run, day);
    const result = await tryDay(run, reader, checkpoint, end);
    if (result.kind !== 'orphaned' && result.kind !== 'no endpoint') return result;
    const wrong = await wrongNeighbor(run, day, end);
    if (wrong) return wrong;
    checkpoint = isTriedAgain(result) && tries > 0 ? await reload(run, stored) : undefined;
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
  end: NamedEnd | undefined,
): Promise<DayOutcome> {
  if (end && end.number < 0) return { kind: 'begins later', day: addDays(stored.day, 1) };
  const last = end ? fetched(end) : await run.blocks.lastBlock();
  if (last.kind === 'no endpoint') return last;
  const begun = await begin(run, stored, end, last.value);
  if ('kind' in begun) return begun;
  if (begun.day !== stored.day) return { kind: 'begins later', day: begun.day };
  const { progress, feed } = await feedOfDay(run, begun);
  const ledger = createLedger(run, stored, progress);
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
  const { network, store, blocks } = run;
  if (startOfDay(day) > network.anchor.timestamp) return { kind: 'up to date' };
  if (progress?.first) return progress;
  const late = end && (await undoLateEnd(run, day, end));
  if (late) return late;
  const dayBefore = restatement ? undefined : await getDay(store, addDays(day, -1));
  if (dayBefore && (await listRestatements(store, dayBefore.day)).length === 0)
    return startDayProgress(day, dayBefore.last);
  const found = await findDayStart(network, day, last, blocks.headers(), (host, reason) =>
    suspect(network, store, host, `${host}: ${reason}`),
  );
  return found.kind === 'found' ? startDayProgress(found.day, found.before) : found;
}

const NOT_STATED = `no node states its price of blobs or of L1 data, and forks are known here until ${RULES_KNOWN_UNTIL} only`;

/** Publishes a day whose blocks are all counted, or lets it wait for the day after it. */
async function finishDay(
  run: DayRun,
  ledger: Ledger,
  { progress: read, next }: Extract<ReadOutcome, { kind: 'complete' }>,
  named: NamedEnd | undefined,
): Promise<DayOutcome> {
  const { network, store } = run;
  const { restatement } = ledger.checkpoint();
  // 1. The day must end with its last block. A contradiction discards its blocks.
  const end = await endOf(run, next, named);
  if (end.kind === 'contradicted') return discard(run, ledger, end.wrong.host, end.problem);
  // 2. The rules must be known. After the vote, because only the host that forged a block would answer questions about it.
  const progress = await ruleChange(network, read);
  if ('kind' in progress) return progress;
  if (lacksStatedPrice(progress))
    run.stats.notProven.set(read.day, `${network.chain.name} ${read.day}: ${NOT_STATED}`);
  // 3. Without a reason why its end is final, the day waits.
  if (end.kind === 'to wait for') {
    if (next && !restatement) await wait(store, { progress, next, since: network.context.clock.now() });
    return { kind: 'up to date', state: 'waiting' };
  }
  // 4. It is published, or replaces the figures that were to be restated.
  const day = { progress, finality: end.finality };
  const problem = await publishDay(run, day, restatement);
  if (problem) return problem;
  // 5. So are the days before it that have no blocks either.
  if (!restatement && !progress.first && !run.isAlone) {
    const other = await publishDays(run, emptyDaysBefore(run, day));
    if (other && other.kind !== 'orphaned') return other;
  }
  return { kind: 'up to date', state: 'final' };
}

/** @param named the end of the day, if it was known before the day was read */
async function endOf(
  run: DayRun,
  next: SummedBlock | undefined,
  named: NamedEnd | undefined,
): Promise<DayEnd> {
  if (named) return { kind: 'named', finality: named.finality };
  if (!next) return { kind: 'to wait for' };
  // A name that another run gave meanwhile is not tried here: the day that gives it may itself begin too late.
  const end = await voteOnEnd(run, next, 'at once');
  // Where many days are read at once, a day that the hosts support still waits for the day after it.
  return end.kind === 'voted' && run.isAlone ? { kind: 'to wait for' } : end;
}
