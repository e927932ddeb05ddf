import { type VoteResult, voteOn } from '../anchor/anchor.ts';
import { upstreamsFor } from '../anchor/network.ts';
import { getHeader, isHashed, readHeader } from '../anchor/read-header.ts';
import { suspect } from '../anchor/suspects.ts';
import { type BlockRef, describeBlock } from '../figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import type { DayProgress } from '../figures/progress.ts';
import { EndpointError } from '../rpc/endpoint.ts';
import type { NoEndpoint } from '../rpc/failover.ts';
import { uncountedRpc } from '../rpc/paced-call.ts';
import { getDay } from '../store/days/days.ts';
import type { ChainStore } from '../store/table/table.ts';
import { type Conflict, conflict } from '../transitions/conflict.ts';
import { discardWaiting, startOver } from '../transitions/wait.ts';
import { type DayRun, type Orphaned, orphaned } from './day-run.ts';
import type { DayEnd } from './end.ts';
import type { Ledger } from './ledger.ts';

/*
 * Undoes what a reorg or a liar made wrong. Counted blocks that are contradicted are discarded, back to the last anchored one. A day that
 * waits is read again if its end is contradicted, and starts over if its start is wrong. A final day is never undone: a contradiction
 * of it is a conflict, which stays visible until an operator restates the day.
 */

/** Discards the blocks since the last anchored one, and asks `host` last for 24 hours. */
export async function discard(
  run: DayRun,
  ledger: Ledger,
  host: string | undefined,
  problem: string,
): Promise<Orphaned> {
  const { name } = run.network.chain;
  const reason = `${host ?? name}: ${problem}`;
  if (host !== undefined) await suspect(run.network, run.store, host, reason);
  ledger.retreat();
  await ledger.save().catch(() => {});
  return orphaned(`${name}: counted blocks were discarded. ${reason}. The next run reads them again.`);
}

/** Discards counted blocks if the hosts report another block in place of `block`. */
export async function discardIfContradicted(
  run: DayRun,
  ledger: Ledger,
  block: NonNullable<DayProgress['last']>,
  vote: VoteResult,
): Promise<Orphaned | undefined> {
  if (vote.kind !== 'contradicted') return undefined;
  const problem = `block ${describeBlock(block)} is not canonical: the hosts report ${vote.by.hash}`;
  return discard(run, ledger, block.host, problem);
}

/** Lets a later run read a waiting day again, and asks the endpoint that gave the wrong block last. */
export async function undoWaitingDay(
  { network, store }: DayRun,
  day: UtcDay,
  { wrong: { host }, problem }: Extract<DayEnd, { kind: 'contradicted' }>,
): Promise<void> {
  if (host !== undefined) await suspect(network, store, host, `${host}: ${network.chain.name} ${problem}`);
  await discardWaiting(store, day);
}

/** Lets a later run read a day from its start. */
async function readAgain(store: ChainStore, day: UtcDay, reason: string): Promise<Orphaned> {
  await startOver(store, day);
  return orphaned(`${reason}. That day starts over.`);
}

/** A final day that only an operator can correct. */
const wrongDay = (day: UtcDay, reason: string): Conflict =>
  conflict(day, `${reason}. Verify ${day}, and restate it.`);

/** Reads the last block before a day. @returns why it is not before midnight; undefined if it is */
async function lateStart({ network, blocks }: DayRun, day: UtcDay, before: BlockRef) {
  const read = await blocks.readKnown(before);
  if (read.kind === 'no endpoint') return read;
  if (read.value.timestamp < startOfDay(day)) return undefined;
  return `${network.chain.name} ${day} begins after block ${describeBlock(before)}, which is of that day or a later one`;
}

/**
 * Reads the last block before a complete day, which must be before midnight. An endpoint whose headers do not hash may have reported
 * another time for it. Discards a day that begins too late, unless it is final, or the day before is final and ends with that block.
 * @returns whether hashes alone fix the start
 */
export async function checkStart(
  run: DayRun,
  { day, first, last, parentHash: hash }: DayProgress,
  isFinal: boolean,
): Promise<{ readonly kind: 'start'; readonly isProven: boolean } | NoEndpoint | Conflict | Orphaned> {
  const { network, store } = run;
  const number = first ? first.number - 1 : last?.number;
  if (number === undefined || number < 0) return { kind: 'start', isProven: true };
  const before = { number, hash };
  const late = await lateStart(run, day, before);
  if (late === undefined)
    return { kind: 'start', isProven: isHashed(network, number) || (await isHashedBefore(run, day, before)) };
  if (typeof late !== 'string') return late;
  const dayBefore = addDays(day, -1);
  if (isFinal || (await getDay(store, dayBefore))?.last.hash === hash) return wrongDay(dayBefore, late);
  return readAgain(store, day, late);
}

/** Returns whether a header proves that a block is before a day, even under the policy `checked`. An endpoint without one gets no fault. */
async function isHashedBefore(
  { network }: DayRun,
  day: UtcDay,
  { number, hash }: BlockRef,
): Promise<boolean> {
  const rules = { ...network, evidence: 'proven' } as const;
  if (!isHashed(rules, number)) return false;
  for (const upstream of upstreamsFor(network)) {
    try {
      const header = await getHeader(uncountedRpc(network.context, upstream), rules, number);
      if ('value' in header && header.value.hash === hash) return header.value.timestamp < startOfDay(day);
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
    }
  }
  return false;
}

/** Discards the day after `day`, unless it is final, if the block that it names as its parent is after midnight too. */
export async function undoLateEnd(
  run: DayRun,
  day: UtcDay,
  end: BlockRef,
): Promise<Conflict | NoEndpoint | Orphaned | undefined> {
  const after = addDays(day, 1);
  const late = await lateStart(run, after, end);
  if (typeof late !== 'string') return late;
  return (await getDay(run.store, after)) ? wrongDay(after, late) : readAgain(run.store, after, late);
}

/** Finds a final day next to a day that cannot be read, whose block at the border the hosts contradict. */
export async function wrongNeighbor(
  { network, store }: DayRun,
  day: UtcDay,
  end: BlockRef | undefined,
): Promise<Conflict | undefined> {
  const { name } = network.chain;
  const [before, after] = [await getDay(store, addDays(day, -1)), await getDay(store, addDays(day, 1))];
  const ends = [
    ...(end && after ? [{ of: after.day, block: end }] : []),
    ...(before ? [{ of: before.day, block: before.last }] : []),
  ];
  for (const { of, block } of ends) {
    const vote = await voteOn(network, block);
    if (vote.kind !== 'contradicted') continue;
    return wrongDay(
      of,
      `${name} ${of} is final, but the hosts report ${vote.by.hash} as block ${block.number}, ` +
        `not ${block.hash}, at its border to ${day}`,
    );
  }
  if (!before) return undefined;
  // The block after the last one of the day before may be of that day too.
  const next = await readHeader(network, before.last.number + 1, upstreamsFor(network));
  if (next.kind === 'no endpoint') return undefined;
  const { parentHash, timestamp } = next.value;
  if (parentHash !== before.last.hash || timestamp >= startOfDay(day)) return undefined;
  if ((await voteOn(network, next.value)).kind !== 'supported') return undefined;
  return wrongDay(
    before.day,
    `${name} ${before.day} is final and ends with block ${describeBlock(before.last)}, but block ${describeBlock(next.value)} ` +
      'is of that day too',
  );
}
