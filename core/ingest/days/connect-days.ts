import { addDays, dayOf, type UtcDay } from '../../figures/calendar.ts';
import type { DayFigures } from '../../figures/day-figures.ts';
import { reportedBy } from '../../figures/finality.ts';
import { type Fetched, fetched, type NoEndpoint, noEndpoint } from '../../rpc/failover.ts';
import { getCheckpoint } from '../../store/checkpoints.ts';
import { describeBlock } from '../../store/compare-figures.ts';
import { getCoverage } from '../../store/coverage.ts';
import { getDay, getFinalDay, listUnconnectedDays, putParentHash } from '../../store/days.ts';
import { refreshCoverage } from '../../store/refresh-coverage.ts';
import type { ChainReader } from '../../store/table.ts';
import { readKnownHeader, voteOn } from '../anchor.ts';
import type { Hosts } from '../hosts.ts';
import { type Conflict, conflict, type RunOutcome } from '../outcomes.ts';
import type { DayRun, KnownEnd } from './read-day.ts';

/* Days that earlier versions stored do not state the parent of their first block. One header connects such a day with the day before. */

type HostsAndStore = Pick<DayRun, 'source' | 'store'>;

/** Returns the last block of a day as named by the day after it, while that one is read and its blocks are anchored. */
export async function endByRunningDay(store: ChainReader, day: UtcDay): Promise<KnownEnd | undefined> {
  const { anchored, anchoredBy: finality = reportedBy([]) } = await getCheckpoint(store, addDays(day, 1));
  return anchored?.first && { number: anchored.first.number - 1, hash: anchored.parentHash, finality };
}

/** Returns the last block of a day as the day after it names it, if that day is final, or being read and anchored. */
export async function knownEndOf(
  { source, store }: HostsAndStore,
  day: UtcDay,
): Promise<{ readonly kind: 'known'; readonly end: KnownEnd | undefined } | NoEndpoint | Conflict> {
  const after = await getFinalDay(store, addDays(day, 1));
  if (!after) {
    const end = await endByRunningDay(store, day);
    const isProofDue = source.isProofRequired || source.anchor.proof !== undefined;
    return { kind: 'known', end: isProofDue && end?.finality.kind === 'reported' ? undefined : end };
  }
  const { figures, finality } = after;
  // The word of hosts is not enough. The day inherits a proof once the days after it have one.
  if (source.isProofRequired && finality.kind === 'reported') return { kind: 'known', end: undefined };
  const { first, last, parentHash } = figures;
  const parent = parentHash === undefined ? await readParentHash(source, figures) : fetched(parentHash);
  if (parent.kind !== 'fetched') return parent;
  const number = first ? first.number - 1 : last.number;
  return { kind: 'known', end: { number, hash: parent.value, finality } };
}

/** Reads the hash of the last block before a day, from the header of its first block, which the hosts must support. */
export async function readParentHash(
  source: Hosts,
  { day, first, last }: DayFigures,
): Promise<Fetched<string> | Conflict> {
  const { name } = source.chain;
  const begins = `${name} ${day} begins ${first ? 'with' : 'after'} block ${describeBlock(first ?? last)}`;
  // A header from one endpoint is not enough: the one that gave a forged day to an earlier version has it too.
  const vote = await voteOn(source, first ?? last);
  if (vote.kind === 'contradicted')
    return conflict(day, `${begins}, but the hosts report ${vote.by.hash}. Restate that day.`);
  if (vote.kind === 'undecided') return noEndpoint(`the start of ${name} ${day}`, [vote.reason]);
  if (!first) return fetched(last.hash);
  const read = await readKnownHeader(source, first);
  if (read.kind === 'no endpoint') return read;
  const { parentHash, timestamp } = read.value;
  if (dayOf(timestamp) === day) return fetched(parentHash);
  return conflict(day, `${begins}, which is of ${dayOf(timestamp)}. Restate that day.`);
}

/**
 * Stores the parent hash of a day's first block, if the day's own last block is canonical: by the day after it, or else by the votes of
 * the hosts. So the end of a day with a parent hash is confirmed.
 * @returns `waiting` when only the day after it can confirm it, once that is final
 */
export async function connectDay(
  { source, store }: HostsAndStore,
  { day, last }: DayFigures,
  parent: Fetched<string> | Conflict,
): Promise<{ readonly kind: 'connected' } | { readonly kind: 'waiting' } | NoEndpoint | Conflict> {
  if (parent.kind !== 'fetched') return parent;
  const known = await knownEndOf({ source, store }, day);
  if (known.kind !== 'known') return known;
  const ends = `${source.chain.name} ${day} ends with block ${describeBlock(last)}`;
  if (known.end && known.end.hash !== last.hash) {
    const after = `${addDays(day, 1)} begins after block ${describeBlock(known.end)}`;
    return conflict(day, `${ends}, but ${after}. Verify both days, and restate the wrong one.`);
  }
  const vote = known.end ? undefined : await voteOn(source, last);
  if (vote?.kind === 'contradicted')
    return conflict(day, `${ends}, but the hosts report ${vote.by.hash}. Restate that day.`);
  if (vote?.kind === 'undecided') return noEndpoint(`the end of ${source.chain.name} ${day}`, [vote.reason]);
  // A single host cannot vouch for a block that is not its final one.
  if (vote && (source.quorum === 1 || source.isProofRequired)) return { kind: 'waiting' };
  const read = await readKnownHeader(source, last);
  if (read.kind === 'no endpoint') return read;
  if (dayOf(read.value.timestamp) > day)
    return conflict(day, `${ends}, which is of a later day. Restate that day.`);
  await putParentHash(store, day, parent.value);
  return { kind: 'connected' };
}

/** Days to connect in one run. The coverage lists at most 64 changed days. */
const MAX_DAYS = 50;

/** Connects some days that earlier versions stored, the latest first. */
export async function connectOlderDays(run: DayRun): Promise<RunOutcome> {
  const { store, from, source } = run;
  const { unconnectedDays = -1 } = (await getCoverage(store))?.summary ?? { unconnectedDays: 0 };
  if (unconnectedDays === 0) return { kind: 'up to date' };
  const connected: UtcDay[] = [];
  let stop: RunOutcome | undefined;
  for (const day of (await listUnconnectedDays(store)).toReversed().slice(0, MAX_DAYS)) {
    source.context.signal.throwIfAborted();
    const figures = await getDay(store, day);
    const parent = figures && (await readParentHash(source, figures));
    const result = parent && (await connectDay(run, figures, parent));
    if (result?.kind === 'connected') connected.push(day);
    else if (result && result.kind !== 'waiting') stop ??= result;
  }
  if (connected.length > 0 || unconnectedDays < 0) await refreshCoverage(store, from, connected);
  return stop ?? { kind: 'up to date' };
}
