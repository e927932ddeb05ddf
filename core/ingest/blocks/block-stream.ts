import { isDeepStrictEqual } from 'node:util';
import { pMapIterable } from 'p-map';
import type { BlockHeader, BlockRef, SummedBlock } from '../../figures/block.ts';
import type { PriceSource } from '../../figures/dollars.ts';
import { blobRulesAt } from '../../proof/prices/blob-fee.ts';
import { excessProblem } from '../../proof/prices/excess-blob-gas.ts';
import {
  type Fetched,
  fetched,
  type NoEndpoint,
  type Refused,
  requestWithFailover,
} from '../../rpc/failover.ts';
import { askedLater } from '../../rpc/health.ts';
import { readKnownHeader, voteOn } from '../anchor.ts';
import { type Source, upstreamsFor } from '../hosts.ts';
import { readBlock, readBlockFrom } from './read-block.ts';
import { isHashed } from './read-header.ts';

/** The place that the next block must continue from. */
export interface Place {
  /** Absent before genesis. */
  readonly block?: BlockRef | undefined;
  /** Seconds: the timestamp of that block, or the midnight before the next. */
  readonly notBefore: number;
}

/** A place with the header of its block, where the rules of the next one depend on it and its hash covers it. */
interface Parent extends Place {
  readonly header?: BlockHeader | undefined;
}

/** No endpoint gives the next block. */
export interface Broken extends NoEndpoint {
  /** Providers whose blocks continue each other, but not those before them. They may be right. */
  readonly contradictedBy: readonly string[];
  /** Endpoints that refused calls for their rate, and may continue those blocks later. */
  readonly limited?: readonly string[];
}

/** Linked blocks in order. The next one can be seen before it is taken, since it may belong to a later day. */
export interface BlockStream {
  readonly peek: () => Promise<
    { readonly kind: 'block'; readonly block: SummedBlock } | { readonly kind: 'end reached' } | Broken
  >;
  readonly take: () => void;
  /** Returns whether the next block of the stream is the one after `start`, up to `end`. */
  readonly isAt: (start: Place, end: BlockRef) => boolean;
  readonly close: () => Promise<void>;
}

/** Opens a stream of the blocks after `start`, which ends with `end`. */
export function openBlockStream(source: Source, start: Place, end: BlockRef): BlockStream {
  const blocks = linkedBlocks(source, start, end);
  let last = start.block;
  let next: ReturnType<typeof blocks.next> | undefined;
  let seen: SummedBlock | undefined;
  let isOver = false;
  return {
    peek: async () => {
      next ??= blocks.next();
      const { done, value } = await next;
      if (done) {
        isOver = true;
        return value;
      }
      seen = value;
      return { kind: 'block', block: value };
    },
    take: () => {
      last = seen;
      next = undefined;
    },
    isAt: (other, otherEnd) => !isOver && isSame(last, other.block) && isSame(end, otherEnd),
    close: async () => {
      next = blocks.return({ kind: 'end reached' });
      await next;
    },
  };
}

const isSame = (a: BlockRef | undefined, b: BlockRef | undefined) =>
  a?.number === b?.number && a?.hash === b?.hash;

/** Blocks read ahead. The health of each endpoint limits the calls at once. */
const BLOCKS_AHEAD = 64;

/**
 * Reads the blocks after `start` up to `end`, many at a time, and yields them in order. A block is yielded once its child names it as
 * parent, or once it is `end` itself. So when the stream reaches its end, every yielded block is `end` or an ancestor of it.
 * @returns why it ended
 */
export async function* linkedBlocks(
  source: Source,
  start: Place,
  end: BlockRef,
): AsyncGenerator<SummedBlock, { readonly kind: 'end reached' } | Broken> {
  const ahead = createAhead(source);
  const first = start.block ? start.block.number + 1 : 0;
  const blocks = pMapIterable(numbers(first, end.number), ahead.read, { concurrency: BLOCKS_AHEAD });
  const before = await readParent(source, start);
  let parent: Parent = { ...start, header: before.kind === 'fetched' ? before.value : undefined };
  let unlinked: SummedBlock | undefined;
  for await (const number of blocks) {
    const block = await ahead.take(number);
    if (block.kind !== 'fetched') return { ...block, contradictedBy: [] };
    const pair = unlinked ? [unlinked, block.value] : [block.value];
    const linked = await link(source, parent, await withoutOutvoted(source, ahead, parent, pair), end);
    if (linked.kind === 'no endpoint') return linked;
    // Later than a contradiction: no endpoint has a header that was forged.
    if (before.kind === 'no endpoint') return { ...before, contradictedBy: [] };
    const [known] = linked.value;
    if (unlinked && known) {
      yield known;
      parent = { block: known, notBefore: known.timestamp, header: hashed(source, known) };
    }
    unlinked = linked.value.at(-1);
  }
  if (unlinked) yield unlinked;
  return { kind: 'end reached' };
}

/** Blocks that are read before they are needed. */
interface Ahead {
  /** Reads a block, and returns its number. */
  readonly read: (number: number) => Promise<number>;
  readonly take: (number: number) => Promise<Fetched<SummedBlock>>;
  /** Asks the host of a block later, and reads again what else it gave. */
  readonly distrust: (block: SummedBlock, reason: string) => void;
}

function createAhead(source: Source): Ahead {
  const blocks = new Map<number, Promise<Fetched<SummedBlock>>>();
  const givers = new Map<number, string>();
  const start = (number: number) => {
    const block = readBlock(source, number);
    // Awaited later, if the stream comes that far.
    block.catch(() => {});
    blocks.set(number, block);
    return block;
  };
  return {
    read: async (number) => {
      const block = await start(number);
      if (block.kind === 'fetched') givers.set(number, block.value.host);
      return number;
    },
    take: async (number) => {
      const block = await (blocks.get(number) ?? readBlock(source, number));
      blocks.delete(number);
      givers.delete(number);
      return block;
    },
    distrust: ({ number, host }, reason) => {
      const { context, chain } = source;
      const now = context.clock.now();
      context.onFault(host, 'not canonical', `${host}: ${chain.name} block ${number}: ${reason}`);
      for (const upstream of source.hosts.flatMap(({ upstreams }) => upstreams))
        if (upstream.endpoint.host === host) upstream.health = askedLater(upstream.health, now);
      for (const [given, giver] of givers) if (giver === host) void start(given);
    },
  };
}

/** Hosts of which a majority can be honest beside a liar. */
const ENOUGH_TO_VOTE = 3;

/**
 * Returns blocks, of which those that do not link and that the hosts outvote are read again. Each that is outvoted costs its own host
 * alone: it is asked later.
 */
async function withoutOutvoted(
  source: Source,
  ahead: Ahead,
  parent: Parent,
  read: readonly SummedBlock[],
): Promise<readonly SummedBlock[]> {
  const { chain, hosts } = source;
  if (!linkProblem(chain.name, parent, read) || hosts.length < ENOUGH_TO_VOTE) return read;
  const votes = await Promise.all(read.map((block) => voteOn(source, block)));
  const isOutvoted = read.map((block, index) => {
    const vote = votes[index];
    if (vote?.kind !== 'contradicted') return false;
    ahead.distrust(block, vote.reason);
    return true;
  });
  const again = read.map(async (block, index) => {
    const other = isOutvoted[index] ? await readBlock(source, block.number) : undefined;
    return other?.kind === 'fetched' ? other.value : block;
  });
  return Promise.all(again);
}

/** Reads the header of the last block before a stream, which the price of blobs in the first one follows from. */
async function readParent(
  source: Source,
  { block, notBefore }: Place,
): Promise<Fetched<BlockHeader | undefined>> {
  const { rules } = source.chain;
  const hasBlobs = 'blobSchedule' in rules && blobRulesAt(rules.blobSchedule, notBefore) !== undefined;
  return block && hasBlobs && isHashed(source, block.number)
    ? readKnownHeader(source, block)
    : fetched(undefined);
}

const hashed = (source: Source, header: BlockHeader): BlockHeader | undefined =>
  isHashed(source, header.number) ? header : undefined;

/**
 * Returns blocks that link: as they were read, or else all of them read again from a single endpoint. Two endpoints cannot show which block
 * is wrong, but one endpoint whose blocks all link settles it.
 */
async function link(
  source: Source,
  parent: Parent,
  read: readonly SummedBlock[],
  end: BlockRef,
): Promise<{ readonly kind: 'fetched'; readonly value: readonly SummedBlock[] } | Broken> {
  const { name } = source.chain;
  const refusalIn = (blocks: readonly SummedBlock[]) =>
    linkProblem(name, parent, blocks) ?? endProblem(name, blocks, end) ?? ruleProblem(source, parent, blocks);
  if (!refusalIn(read)) return { kind: 'fetched', value: read };
  const numbersRead = read.map(({ number }) => number);
  const contradictedBy = new Set<string>();
  const again = await requestWithFailover(
    source.context,
    upstreamsFor(source),
    `${name} block ${numbersRead.join(' and its child ')}`,
    async (rpc, upstream) => {
      const { host } = upstream.endpoint;
      const attempts = await Promise.all(
        numbersRead.map((number) => readBlockFrom(source, number, rpc, host)),
      );
      const refusal = attempts.find((attempt) => 'refused' in attempt);
      if (refusal) return refusal;
      const blocks = attempts.flatMap((attempt) => ('value' in attempt ? [attempt.value] : []));
      const refused = refusalIn(blocks);
      if (!refused) return { value: blocks };
      // A rule that is not known here says nothing against the endpoint.
      if (refused.fault === 'unknown rule') return refused;
      const own = linkProblem(name, { notBefore: 0 }, blocks) ?? endProblem(name, blocks, end);
      // Blocks that link to each other may be right, and those before them wrong, which came from another endpoint.
      if (own) upstream.health = askedLater(upstream.health, source.context.clock.now());
      else contradictedBy.add(upstream.endpoint.provider);
      return refused;
    },
  );
  if (again.kind === 'fetched') return again;
  const limited = upstreamsFor(source).flatMap(({ endpoint, fault, health }) =>
    health.faults > 0 && fault?.kind === 'rate limit' ? [endpoint.host] : [],
  );
  return { ...again, contradictedBy: [...contradictedBy], limited };
}

/** Returns why blocks do not continue each other from `parent`, or undefined when they do. */
function linkProblem(chain: string, parent: Place, blocks: readonly SummedBlock[]): Refused | undefined {
  let { block: before, notBefore }: Place = parent;
  for (const block of blocks) {
    const { number, parentHash, timestamp } = block;
    if (before && parentHash !== before.hash) {
      return {
        refused: `${chain} block ${number}: its parent is ${parentHash}, but block ${before.number} was read as ${before.hash}`,
      };
    }
    if (timestamp < notBefore) {
      return {
        refused: `${chain} block ${number}: its timestamp ${timestamp} is before ${notBefore}, that of its parent or of midnight`,
      };
    }
    before = block;
    notBefore = timestamp;
  }
  return undefined;
}

function endProblem(chain: string, blocks: readonly SummedBlock[], end: BlockRef): Refused | undefined {
  const last = blocks.at(-1);
  if (last?.number !== end.number || last.hash === end.hash) return undefined;
  return {
    refused: `${chain} block ${end.number}: its hash is ${last.hash}, not ${end.hash}, which is final`,
  };
}

/** Returns the rule that linked blocks do not keep among each other: the price of blobs follows from the block before. */
function ruleProblem(source: Source, parent: Parent, blocks: readonly SummedBlock[]): Refused | undefined {
  const { name, rules } = source.chain;
  let before = parent.header;
  for (const block of blocks) {
    const header = hashed(source, block);
    const problem = before && header && excessProblem(rules, before, header);
    if (problem) return { refused: `${name} block ${block.number}: ${problem}`, fault: 'unknown rule' };
    before = header;
  }
  return undefined;
}

function* numbers(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}

/**
 * Opens streams of blocks, one at a time. `from` reuses the open stream, with the blocks that it read ahead, if it stands at `start` and
 * reads the same prices.
 */
export interface BlockReader extends AsyncDisposable {
  readonly from: (start: Place, end: BlockRef, feed?: PriceSource) => Promise<BlockStream>;
}

export function createBlockReader(source: Source): BlockReader {
  let stream: BlockStream | undefined;
  let feedRead: PriceSource | undefined;
  return {
    from: async (start, end, feed) => {
      if (stream?.isAt(start, end) && isDeepStrictEqual(feed, feedRead)) return stream;
      await stream?.close();
      feedRead = feed;
      stream = openBlockStream({ ...source, feed }, start, end);
      return stream;
    },
    [Symbol.asyncDispose]: async () => stream?.close(),
  };
}
