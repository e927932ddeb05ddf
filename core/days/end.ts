import { voteOn } from '../anchor/anchor.ts';
import type { AnchoredNetwork, Network } from '../anchor/network.ts';
import { type BlockRef, describeBlock, type Finality, reportedBy } from '../figures/block.ts';
import { addDays, type UtcDay } from '../figures/calendar.ts';
import { getCheckpoint } from '../store/days/checkpoints.ts';
import { type FinalDay, getFinalDay } from '../store/days/days.ts';
import type { WaitingDay } from '../store/days/waiting-days.ts';
import type { ChainReader } from '../store/table/table.ts';
import type { DayRun } from './day-run.ts';

/*
 * The end of a day, and who is believed about it. The day after it names the last block; where it does not, the hosts vote on the block that
 * follows. Reports of hosts are not enough where the chain proves its finality, unless the day after is final, or the day has waited long.
 */

/** The last block of a day, as a later day names it, and the reason why that one is final. */
export interface NamedEnd extends BlockRef {
  readonly finality: Finality;
}

/** A block, with the host that gave it. */
type GivenBlock = WaitingDay['next'];

/** A decision about a day whose blocks are all counted. */
export type DayEnd =
  | { readonly kind: 'named' | 'voted'; readonly finality: Finality }
  | { readonly kind: 'to wait for' }
  | { readonly kind: 'contradicted'; readonly wrong: GivenBlock; readonly problem: string };

/** The time at which the hosts may vote on the end of a day. */
type VoteTime =
  /** Never: another day decides. */
  | 'not yet'
  /** As soon as its blocks are read. */
  | 'at once'
  /** The day after it has been missing for so long that the hosts are believed even on a chain that proves its finality. */
  | 'after a wait';

/** Returns whether votes can confirm a block at all: a single host cannot. */
export const canConfirm = ({ quorum }: Network): boolean => quorum > 1;

/** Returns whether reports of hosts are enough for an end. @param isSettled true if the day after it is final, or has long been missing */
const areReportsEnough = ({ anchor, isProofRequired }: AnchoredNetwork, isSettled: boolean): boolean =>
  !isProofRequired && (isSettled || anchor.proof === undefined);

/** Returns the last block of a day as the day after it names it, if that day is still being read and its first block is final. */
export async function endByRunningDay(store: ChainReader, day: UtcDay): Promise<NamedEnd | undefined> {
  const { final } = await getCheckpoint(store, addDays(day, 1));
  if (!final?.progress.first) return undefined;
  const { first, parentHash: hash } = final.progress;
  return { number: first.number - 1, hash, finality: final.finality };
}

/**
 * Returns the last block of a day as the day after it names it, if that day is final, or is being read and its first block is final. If a
 * proof is due, the day inherits it once the days after it have one.
 */
export async function namedEnd({ network, store }: DayRun, day: UtcDay): Promise<NamedEnd | undefined> {
  const after = await getFinalDay(store, addDays(day, 1));
  const end = after ? endBefore(after) : await endByRunningDay(store, day);
  const isBelieved = end?.finality.kind !== 'reported' || areReportsEnough(network, after !== undefined);
  return isBelieved ? end : undefined;
}

const endBefore = ({ figures: { first, last, parentHash }, finality }: FinalDay): NamedEnd => ({
  number: first ? first.number - 1 : last.number,
  hash: parentHash,
  finality,
});

/**
 * Decides whether a day ends with its last counted block.
 * @param next the first block of a later day
 */
export async function decideEnd(
  run: DayRun,
  { progress: { day, last }, next }: Pick<WaitingDay, 'progress' | 'next'>,
  time: VoteTime,
): Promise<DayEnd> {
  // 1. The day after it knows.
  const named = await namedEnd(run, day);
  if (named && last?.hash === named.hash) return { kind: 'named', finality: named.finality };
  // If the day continues, the block that seemed to follow it is wrong, and its last one may be right.
  if (named && last) return contradicted(named.number > last.number ? next : last);
  // 2. Or the hosts vote.
  return voteOnEnd(run, next, time);
}

/** Lets the hosts vote on the first block of a later day, where their word is enough. */
export async function voteOnEnd({ network }: DayRun, next: GivenBlock, time: VoteTime): Promise<DayEnd> {
  const mayVote =
    time !== 'not yet' && canConfirm(network) && areReportsEnough(network, time === 'after a wait');
  if (!mayVote) return { kind: 'to wait for' };
  const vote = await voteOn(network, next);
  if (vote.kind === 'contradicted') return contradicted(next, `: the hosts report ${vote.by.hash}`);
  return vote.kind === 'supported'
    ? { kind: 'voted', finality: reportedBy(vote.hosts) }
    : { kind: 'to wait for' };
}

const contradicted = (wrong: GivenBlock, why = ''): DayEnd => ({
  kind: 'contradicted',
  wrong,
  problem: `block ${describeBlock(wrong)} is not canonical${why}`,
});
