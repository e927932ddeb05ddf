import { voteOn } from '../anchor/anchor.ts';
import { type Network, upstreamsFor } from '../anchor/network.ts';
import { isHashed } from '../anchor/read-header.ts';
import { askLater } from '../anchor/suspects.ts';
import type { HeaderReader } from '../blocks/block-source.ts';
import { nodeHeaders } from '../blocks/nodes/node-blocks.ts';
import type { BlockHeader, BlockRef } from '../figures/block.ts';
import { dayOf, later, startOfDay, type UtcDay } from '../figures/calendar.ts';
import { type RequestContext, within } from '../rpc/deadline.ts';
import { type Fetched, type NoEndpoint, noEndpoint, noneOf } from '../rpc/failover.ts';
import { canConfirm } from './end.ts';

const CALLS_OF_A_SEARCH = 40;
/** A slow endpoint must not delay a run while there are others. One with a low limit gets the time that its calls take. */
const MAX_SEARCH_MS = 60_000;
const maxSearchMs = ({ rate }: HeaderReader) => MAX_SEARCH_MS + (CALLS_OF_A_SEARCH * 1_000) / rate();

/**
 * Finds where a day begins: with the first block at or after midnight whose parent, matched by its hash, is before it. Searches one
 * endpoint at a time, so that one that lies about a header does not mislead the search in another.
 * @returns a later day if genesis is later, since a day before it has no figures, not even 0; and the last block before the day, if any
 * @param end a block at or after midnight, or the last block before it
 * @param readers the places to search: the endpoints, unless files stand in for them
 * @param onWrong receives the endpoint of a block that two other hosts or more contradict, and the reason
 */
export async function findDayStart(
  network: Network,
  day: UtcDay,
  end: BlockRef,
  readers: readonly HeaderReader[] = upstreamsFor(network).map(nodeHeaders),
  onWrong?: (host: string, reason: string) => Promise<void>,
): Promise<NoEndpoint | { kind: 'found'; day: UtcDay; before: (BlockRef & { host: string }) | undefined }> {
  const what = `the start of ${network.chain.name} ${day}`;
  const failures: NoEndpoint[] = [];
  for (const reader of readers) {
    const { host } = reader;
    const search = (context: RequestContext) =>
      searchIn({ ...network, context }, reader, startOfDay(day), end);
    // After the last place there is no other to try, so it has no time limit of its own.
    const isLast = reader === readers.at(-1);
    const limit = maxSearchMs(reader);
    const found = isLast ? await search(network.context) : await within(network.context, limit, search);
    // So that the next days, and the next run, do not begin with its provider again.
    if (!found || (found.kind === 'no endpoint' && !found.isUnavailable)) askLater(network, host);
    if (found?.kind === 'no endpoint') {
      failures.push(found);
      continue;
    }
    const slow = `the search took more than ${Math.round(limit / 1_000)} s`;
    const start = found ? await startAt(network, day, found, host) : undecided(slow);
    if (start.kind === 'found') return start;
    // A single host blames no other, and files are not endpoints that could be asked later.
    const isWrong = start.kind === 'contradicted' && start.hosts.length > 1 && !reader.mayHaveGaps;
    if (isWrong) await onWrong?.(host, start.reason);
    failures.push(noEndpoint(what, [`${host}: ${start.reason}`]));
  }
  const isDamaged = failures.length > 0 && failures.every((failure) => failure.isDamaged);
  return { ...noneOf(what, failures), isDamaged };
}

const undecided = (reason: string) => ({ kind: 'undecided', reason }) as const;

/**
 * Returns the start of a day, or why the blocks around midnight are not canonical. Where hashes cover their times, the blocks that follow
 * settle what the hosts leave undecided; else the hosts must agree.
 */
async function startAt(network: Network, day: UtcDay, { first, before }: Boundary, host: string) {
  const { chain } = network;
  const firstDay = first && !before ? later(day, dayOf(first.timestamp)) : day;
  // Without blocks of the day, nothing refutes an endpoint that claims that the chain begins later.
  const isFollowed = firstDay === day;
  if (!isFollowed && !canConfirm(network))
    return undecided(
      'a quorum of 1 cannot confirm that the chain begins later; add a host, or choose a later first day',
    );
  for (const block of [first, before]) {
    if (!block) continue;
    const isDecided = isHashed(network, block.number) && isFollowed;
    if (isDecided && block === before && first) continue;
    const vote = await voteOn(network, block);
    if (vote.kind === 'contradicted') {
      const { hash, timestamp } = vote.by;
      const reason = `${chain.name} block ${block.number} is ${block.hash} at ${block.timestamp}, but other hosts report ${hash} at ${timestamp}`;
      return { kind: 'contradicted', reason, hosts: vote.hosts } as const;
    }
    if (vote.kind === 'undecided' && !isDecided) return undecided(vote.reason);
  }
  const last = before && { number: before.number, hash: before.hash, host };
  return { kind: 'found', day: firstDay, before: last } as const;
}

interface Boundary {
  readonly kind: 'boundary';
  /** The first block at or after the time; absent when `end` is before it. */
  readonly first?: BlockHeader;
  /** Absent when genesis itself is at or after the time. */
  readonly before?: BlockHeader;
}

/**
 * Finds the first block at or after a time, and its parent, by a lower-bound search in one place: block times change and timestamps
 * repeat, so numbers cannot be derived. The search goes back from `end` in growing steps, because nodes that keep only recent blocks
 * do not have much older ones.
 * @param time seconds
 */
export async function searchIn(
  network: Network,
  reader: HeaderReader,
  time: number,
  end: BlockRef,
): Promise<Boundary | NoEndpoint> {
  const last = await reader.readKnown(network, end);
  if (last.kind === 'no endpoint') return last;
  if (last.value.timestamp < time) return { kind: 'boundary', before: last.value };
  let first = last.value;
  let missing: NoEndpoint | undefined;
  const { firstBlock = 0 } = network.chain;
  // The newest block known to be before the time, or to be so old that the endpoint does not have it, or that nobody can read it.
  let low = firstBlock - 1;
  for (let step = 1; first.number > low + 1; step *= 2) {
    const isUnbounded = low < firstBlock;
    const next = isUnbounded
      ? Math.max(first.number - step, firstBlock)
      : low + Math.floor((first.number - low) / 2);
    const read = await readBetween(network, reader, { low, next, high: first.number });
    if (read.kind === 'no endpoint' && !read.isUnavailable) return read;
    if (read.kind === 'fetched' && read.value.timestamp >= time) first = read.value;
    else {
      low = read.kind === 'no endpoint' ? next : read.value.number;
      missing = read.kind === 'no endpoint' ? read : undefined;
    }
  }
  if (first.number === 0) return { kind: 'boundary', first };
  if (missing) return missing;
  const parent = { number: first.number - 1, hash: first.parentHash };
  const before = await reader.readKnown(network, parent);
  if (before.kind === 'no endpoint') return before;
  if (before.value.timestamp < time) return { kind: 'boundary', first, before: before.value };
  const problem = `${reader.host}: block ${first.number - 1} was before ${time}, but not when it was read again`;
  return noEndpoint(`${network.chain.name} block ${first.number}`, [problem]);
}

/** Reads a header. If it is missing or damaged in files, reads the nearest ones that are not, within the range that is searched. */
async function readBetween(
  network: Network,
  reader: HeaderReader,
  { low, next, high }: { readonly low: number; readonly next: number; readonly high: number },
): Promise<Fetched<BlockHeader>> {
  const read = await reader.read(network, next);
  if (read.kind === 'fetched' || !reader.mayHaveGaps) return read;
  for (let distance = 1; distance < high - low; distance *= 2) {
    for (const number of [next - distance, next + distance]) {
      const other = number > low && number < high && (await reader.read(network, number));
      if (other && other.kind === 'fetched') return other;
    }
  }
  return { ...read, isUnavailable: true };
}
