import { type VoteResult, voteOn } from '../anchor/anchor.ts';
import { type Source, upstreamsFor } from '../anchor/network.ts';
import { readHeader } from '../anchor/read-header.ts';
import { suspect } from '../anchor/suspects.ts';
import type { BlockRef } from '../figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import type { DayFigures } from '../figures/day-figures.ts';
import type { DayProgress } from '../figures/progress.ts';
import type { NoEndpoint } from '../rpc/failover.ts';
import { deleteCheckpoint } from '../store/days/checkpoints.ts';
import { describeBlock } from '../store/days/compare-figures.ts';
import { getDay } from '../store/days/days.ts';
import { discardWaitingDay, type WaitingDay } from '../store/days/waiting-days.ts';
import type { ChainStore } from '../store/table/table.ts';
import type { DayRun } from './day-run.ts';
import type { Ledger } from './ledger.ts';
import { refreshCoverage } from './refresh-coverage.ts';

/*
 * Everything that a reorg or a liar undoes. Counted blocks that are contradicted are discarded, back to the last anchored one. A day that
 * waits is read again if its end is contradicted, and starts over if its start is wrong. A final day is never undone: a contradiction
 * of it is a conflict, which stays visible until an operator restates the day.
 */

/** Counted blocks were discarded. They are read again, and the endpoint that gave them is asked last for 24 hours. */
export const orphaned = (reason: string) => ({ kind: 'orphaned', reason }) as const;
export type Orphaned = ReturnType<typeof orphaned>;

/** A day contradicts what is final. Nothing is overwritten; an operator must decide. @param day whose figures may be wrong */
export const conflict = (day: UtcDay, reason: string) => ({ kind: 'conflict', day, reason }) as const;
export type Conflict = ReturnType<typeof conflict>;

/** Discards the blocks since the last anchored one, and asks `host` last for 24 hours. */
export async function discard(
  { source, store }: DayRun,
  ledger: Ledger,
  host: string | undefined,
  problem: string,
): Promise<Orphaned> {
  const reason = `${host ?? source.chain.name}: ${problem}`;
  if (host !== undefined) await suspect(source, store, host, reason);
  ledger.retreat();
  await ledger.save().catch(() => {});
  return orphaned(
    `${source.chain.name}: counted blocks were discarded. ${reason}. The next run reads them again.`,
  );
}

type HostedBlock = WaitingDay['next'];

/** Discards counted blocks if the hosts report another block in place of `block`. */
export async function discardIfContradicted(
  run: DayRun,
  ledger: Ledger,
  block: HostedBlock,
  vote: VoteResult,
): Promise<Orphaned | undefined> {
  if (vote.kind !== 'contradicted') return undefined;
  const problem = `block ${describeBlock(block)} is not canonical: the hosts report ${vote.by.hash}`;
  return discard(run, ledger, block.host, problem);
}

/** Lets a later run read a waiting day again, and asks the endpoint that gave the wrong block last. */
export async function discardWaiting(
  { source, store, from }: DayRun,
  day: UtcDay,
  { number, hash, host }: HostedBlock,
): Promise<void> {
  const problem = `${host}: ${source.chain.name} block ${describeBlock({ number, hash })} is not canonical`;
  if (host !== undefined) await suspect(source, store, host, problem);
  await discardWaitingDay(store, day);
  await refreshCoverage(store, from);
}

export async function forgetProgress(store: ChainStore, day: UtcDay): Promise<void> {
  await discardWaitingDay(store, day);
  await deleteCheckpoint(store, { day });
}

async function startOver(store: ChainStore, day: UtcDay, reason: string): Promise<Orphaned> {
  await forgetProgress(store, day);
  return orphaned(`${reason}. That day starts over.`);
}

/** Discards a complete day that starts too late, unless the day before is final and ends too late. */
export async function undoLateStart(
  { store, from }: DayRun,
  { day, parentHash }: DayProgress,
  reason: string,
): Promise<Conflict | Orphaned> {
  const dayBefore = await getDay(store, addDays(day, -1));
  if (dayBefore?.last.hash === parentHash)
    return conflict(dayBefore.day, `${reason}. Verify ${dayBefore.day}, and restate it.`);
  const undone = await startOver(store, day, reason);
  await refreshCoverage(store, from);
  return undone;
}

/** Discards the day after `day`, unless it is final, if the block that it names as its parent is after midnight too. */
export async function undoLateEnd(
  { source, store, blocks }: DayRun,
  day: UtcDay,
  end: BlockRef,
): Promise<Conflict | Orphaned | NoEndpoint | undefined> {
  const { name } = source.chain;
  const read = await blocks.readKnown(end);
  if (read.kind === 'no endpoint') return read;
  const after = addDays(day, 1);
  if (read.value.timestamp < startOfDay(after)) return undefined;
  const reason = `${name} ${after} begins after block ${describeBlock(end)}, which is of that day or a later one`;
  if (await getDay(store, after)) return conflict(after, `${reason}. Verify ${after}, and restate it.`);
  return startOver(store, after, reason);
}

/** Finds a final day next to a day that cannot be read, whose block at the border the hosts contradict. */
export async function wrongNeighbor(
  { source, store }: DayRun,
  day: UtcDay,
  end: BlockRef | undefined,
): Promise<Conflict | undefined> {
  const [before, after] = [await getDay(store, addDays(day, -1)), await getDay(store, addDays(day, 1))];
  const ends = [
    ...(end && after ? [{ of: after.day, block: end }] : []),
    ...(before ? [{ of: before.day, block: before.last }] : []),
  ];
  for (const { of, block } of ends) {
    const vote = await voteOn(source, block);
    if (vote.kind !== 'contradicted') continue;
    return conflict(
      of,
      `${source.chain.name} ${of} is final, but the hosts report ${vote.by.hash} as block ${block.number}, ` +
        `not ${block.hash}, at its border to ${day}. Verify ${of}, and restate it.`,
    );
  }
  return before && earlyEnd(source, before);
}

/** Returns a problem if the block after the last one of a final day is of that day too. */
async function earlyEnd(source: Source, { day, last }: DayFigures): Promise<Conflict | undefined> {
  const next = await readHeader(source, last.number + 1, upstreamsFor(source));
  if (next.kind === 'no endpoint') return undefined;
  const { number, hash, parentHash, timestamp } = next.value;
  if (parentHash !== last.hash || timestamp >= startOfDay(addDays(day, 1))) return undefined;
  if ((await voteOn(source, next.value)).kind !== 'supported') return undefined;
  return conflict(
    day,
    `${source.chain.name} ${day} is final and ends with block ${describeBlock(last)}, but block ${describeBlock({ number, hash })} ` +
      `is of that day too. Verify ${day}, and restate it.`,
  );
}
