import { voteOn } from '../anchor/anchor.ts';
import type { AnchoredNetwork, Network } from '../anchor/network.ts';
import { askLater } from '../anchor/suspects.ts';
import type { Broken } from '../blocks/block-source.ts';
import type { BlockStream, NextBlock } from '../blocks/block-stream.ts';
import { describeBlock, reportedBy, type SummedBlock } from '../figures/block.ts';
import { type DayProgress, isAfter } from '../figures/progress.ts';
import { GRACE_MS, type RequestContext, within } from '../rpc/deadline.ts';
import type { DayRun, Orphaned, RunOutcome } from './day-run.ts';
import { canConfirm, type NamedEnd } from './end.ts';
import type { Ledger } from './ledger.ts';
import { discard, discardIfContradicted } from './undo.ts';

/** The day to read, from where the ledger stands to the end of the stream. */
interface DayTask {
  readonly ledger: Ledger;
  readonly stream: BlockStream;
  /** The last block of the day where the day after it is known; else absent. */
  readonly end?: NamedEnd | undefined;
}

/** The outcome of reading a day. `next` is the first block of a later day, where the end of the day was not known before. */
export type ReadOutcome =
  | { readonly kind: 'complete'; readonly progress: DayProgress; readonly next?: SummedBlock }
  | RunOutcome;

/** A crash costs at most this much reading. Each save writes the hours and the counts of fees, too: a few KB. */
const SAVE_EVERY_MS = 60_000;
/** The calls of a run that is out of time are aborted. The votes on its last block get a few seconds of their own. */
const LAST_VOTES_MS = GRACE_MS + 1_000;

/**
 * Reads the rest of a day. Every minute and when it stops, lets the hosts vote on its last block, so that a contradiction costs no
 * more than that, and saves its progress.
 */
export async function readDay(run: DayRun, task: DayTask): Promise<ReadOutcome> {
  const { network, stats, onBlock } = run;
  const { clock } = network.context;
  const { ledger, stream } = task;
  let saveAt = clock.now() + SAVE_EVERY_MS;
  try {
    for (;;) {
      const next = await stream.peek();
      if (next.kind !== 'block' || isAfter(ledger.progress(), next.block))
        return await atLastBlock(run, task, next);
      ledger.count(next.block);
      stream.take();
      stats.blocks += 1;
      onBlock?.(next.block);
      if (!ledger.checkpoint().restatement)
        stats.reached = Math.max(stats.reached ?? 0, next.block.timestamp);
      if (clock.now() < saveAt) continue;
      const discarded = await anchorLast(run, network, ledger);
      if (discarded) return discarded;
      if (!(await ledger.save())) return { kind: 'overtaken' };
      saveAt = clock.now() + SAVE_EVERY_MS;
    }
  } catch (error) {
    // Out of time: if this fails too, the next run reads these blocks again.
    const anchorIn = (context: RequestContext) => anchorLast(run, { ...network, context }, ledger);
    await within(network.context, LAST_VOTES_MS, anchorIn).catch(() => {});
    await ledger.save().catch(() => {});
    throw error;
  }
}

/** @param next what follows the last block of the day that can be read: a block of a later day, if any */
async function atLastBlock(run: DayRun, task: DayTask, next: NextBlock): Promise<ReadOutcome> {
  const { ledger, end } = task;
  const wrong = contradictionOf(task, next);
  if (wrong) return discard(run, ledger, wrong.host, wrong.problem);
  if (next.kind === 'no endpoint') return atBreak(run, ledger, next);
  if (next.kind === 'end reached') {
    const { anchor } = run.network;
    const isAtEnd = ledger.progress().last?.hash === (end ?? anchor).hash;
    const discarded = isAtEnd ? undefined : await anchorLast(run, run.network, ledger);
    if (discarded) return discarded;
    if (isAtEnd) ledger.anchor(end?.finality ?? anchor.proof ?? reportedBy(anchor.hosts));
  }
  if (!(await ledger.save())) return { kind: 'overtaken' };
  const progress = ledger.progress();
  if (next.kind === 'block') return { kind: 'complete', progress, next: next.block };
  return end ? { kind: 'complete', progress } : { kind: 'up to date' };
}

/** Returns which host gave a block that contradicts the known end of the day. */
function contradictionOf({ ledger, end }: DayTask, next: NextBlock) {
  const { last } = ledger.progress();
  if (!end || next.kind === 'no endpoint') return undefined;
  const known = `but the day ends with block ${describeBlock(end)}`;
  if (next.kind === 'block')
    return {
      host: next.block.host,
      problem: `block ${describeBlock(next.block)} is of a later day, ${known}`,
    };
  if (!last || last.hash === end.hash) return undefined;
  return { host: last.host, problem: `block ${describeBlock(last)} was counted, ${known}` };
}

/** No endpoint continues the counted blocks: they or the start of the day may be wrong, or the endpoints unavailable. */
async function atBreak(run: DayRun, ledger: Ledger, end: Broken): Promise<ReadOutcome> {
  const { first, last } = ledger.progress();
  const discarded = last && (await anchorLast(run, run.network, ledger));
  if (discarded) return discarded;
  if (
    last?.host !== undefined &&
    isOutvoted(run.network, last.host, end) &&
    !(first && ledger.isAnchored())
  ) {
    const problem = `block ${describeBlock(last)} is not continued by any endpoint (${end.reasons.join('; ')})`;
    const isUnheard = end.unheard?.includes(last.host);
    // A host that could not answer now is not blamed. But it may be a liar that hangs up, so others are asked before it for some time.
    if (isUnheard) askLater(run.network, last.host);
    return discard(run, ledger, isUnheard ? undefined : last.host, problem);
  }
  // A failed save must not hide the reason why the day stops.
  await ledger.save().catch(() => {});
  return end;
}

/**
 * Returns whether enough providers contradict the block of a host: two, or the only other one. One may be a liar, and those that would
 * continue the block may be unable to answer now. A host that refuses calls for their rate is waited for.
 */
function isOutvoted({ hosts }: AnchoredNetwork, giver: string, { contradictedBy, limited }: Broken): boolean {
  const isHost = hosts.some(({ upstreams }) => upstreams.some(({ endpoint }) => endpoint.host === giver));
  // The giver and two others.
  const hasThree = hosts.length > (isHost ? 2 : 1);
  return contradictedBy.length >= (hasThree || limited?.includes(giver) ? 2 : 1);
}

/**
 * Lets the hosts vote on the last counted block. A single host cannot confirm the block, but may contradict it.
 * @returns the reason why blocks were discarded
 */
async function anchorLast(run: DayRun, network: Network, ledger: Ledger): Promise<Orphaned | undefined> {
  const { first, last, notBefore } = ledger.progress();
  if (!last || ledger.isAnchored()) return undefined;
  const vote = await voteOn(network, { ...last, ...(first && { timestamp: notBefore }) });
  // Under a proven anchor this makes no block final, but a contradiction costs no more than the blocks since.
  if (vote.kind === 'supported' && canConfirm(run.network))
    ledger.anchor(run.network.anchor.proof ? undefined : reportedBy(vote.hosts));
  return discardIfContradicted(run, ledger, last, vote);
}
