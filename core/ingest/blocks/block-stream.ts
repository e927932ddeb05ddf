import { isDeepStrictEqual } from 'node:util';
import { pMapIterable } from 'p-map';
import type { BlockHeader, BlockRef, SummedBlock } from '../../figures/block.ts';
import type { PriceSource } from '../../figures/dollars.ts';
import { blobRulesAt } from '../../proof/prices/blob-fee.ts';
import { type Fetched, fetched, type NoEndpoint, requestWithFailover } from '../../rpc/failover.ts';
import { askedLater } from '../../rpc/health.ts';
import { readKnownHeader } from '../anchor.ts';
import { type Source, upstreamsFor } from '../hosts.ts';
import {
  type ChainPosition,
  endProblem,
  hashed,
  linkProblem,
  type Parent,
  ruleProblem,
} from './link-problems.ts';
import { createAhead, withoutOutvoted } from './read-ahead.ts';
import { readBlockFrom } from './read-block.ts';
import { isHashed } from './read-header.ts';

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
  readonly isAt: (start: ChainPosition, end: BlockRef) => boolean;
  readonly close: () => Promise<void>;
}

/** Opens a stream of the blocks after `start`, which ends with `end`. */
export function openBlockStream(source: Source, start: ChainPosition, end: BlockRef): BlockStream {
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
  start: ChainPosition,
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

/** Reads the header of the last block before a stream, which the price of blobs in the first one follows from. */
async function readParent(
  source: Source,
  { block, notBefore }: ChainPosition,
): Promise<Fetched<BlockHeader | undefined>> {
  const { rules } = source.chain;
  const hasBlobs = 'blobSchedule' in rules && blobRulesAt(rules.blobSchedule, notBefore) !== undefined;
  return block && hasBlobs && isHashed(source, block.number)
    ? readKnownHeader(source, block)
    : fetched(undefined);
}

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

function* numbers(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}

/**
 * Opens streams of blocks, one at a time. `from` reuses the open stream, with the blocks that it read ahead, if it stands at `start` and
 * reads the same prices.
 */
export interface BlockReader extends AsyncDisposable {
  readonly from: (start: ChainPosition, end: BlockRef, feed?: PriceSource) => Promise<BlockStream>;
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
