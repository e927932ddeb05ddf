import { pMapIterable } from 'p-map';
import { readKnownHeader, voteOn } from '../../anchor/anchor.ts';
import { type AnchoredNetwork, upstreamsFor } from '../../anchor/network.ts';
import { readHeader } from '../../anchor/read-header.ts';
import { askLater } from '../../anchor/suspects.ts';
import type { BlockRef, SummedBlock } from '../../figures/block.ts';
import { UNAVAILABLE_KINDS } from '../../rpc/endpoint.ts';
import { type Fetched, fetched, requestWithFailover } from '../../rpc/failover.ts';
import { isCoolingDown } from '../../rpc/health.ts';
import { type Upstream, working } from '../../rpc/upstream.ts';
import type { BlockSource, HeaderReader, LinkedBlocks } from '../block-source.ts';
import { type ChainPosition, linkProblem, type Parent, ruleProblem } from '../link-problems.ts';
import { readParent } from '../read-parent.ts';
import { readBlock, readBlockFrom } from './read-block.ts';

export const nodeBlocks = (network: AnchoredNetwork): BlockSource => ({
  retries: network.hosts.length,
  lastBlock: async () => fetched(network.anchor),
  blocks: (start, end, feed) => untilClosed({ ...network, feed }, start, end),
  headers: () => upstreamsFor(network).map(nodeHeaders),
  readKnown: (block) => readKnownHeader(network, block),
});

export const nodeHeaders = (upstream: Upstream): HeaderReader => ({
  host: upstream.endpoint.host,
  rate: () => upstream.health.rate,
  read: (network, number) => readHeader(network, number, [upstream]),
  readKnown: (network, block) => readKnownHeader(network, block, [upstream]),
});

/** Blocks read ahead. The health of each endpoint limits the calls at once. */
const MAX_BLOCKS_AHEAD = 64;
/** Blocks read ahead for each call a second that the endpoints can sustain: with more, a block that is read again waits for minutes. */
const BLOCKS_AHEAD_PER_RATE = 5;

/**
 * Reads linked blocks, and aborts the calls for those that it read ahead when it ends or is closed. After a block that follows no known
 * rule, their faults would let the endpoints cool down while other days are read.
 */
async function* untilClosed(network: AnchoredNetwork, start: ChainPosition, end: BlockRef): LinkedBlocks {
  const closed = new AbortController();
  const signal = AbortSignal.any([network.context.signal, closed.signal]);
  try {
    return yield* linkedBlocks({ ...network, context: { ...network.context, signal } }, start, end);
  } finally {
    closed.abort(new Error('The stream is closed'));
  }
}

/**
 * Reads the blocks after `start` up to `end`, many at a time, and yields them in order. A block is yielded once its child names it as
 * parent, or once it is `end` itself. So when the stream reaches its end, every yielded block is `end` or an ancestor of it.
 * @returns why it ended
 */
async function* linkedBlocks(network: AnchoredNetwork, start: ChainPosition, end: BlockRef): LinkedBlocks {
  const ahead = createAhead(network);
  const first = start.block ? start.block.number + 1 : 0;
  const able = working(upstreamsFor(network), network.context.clock.now());
  const blocksPerRate = able.reduce((sum, { health }) => sum + BLOCKS_AHEAD_PER_RATE * health.rate, 0);
  const concurrency = Math.ceil(Math.min(MAX_BLOCKS_AHEAD, blocksPerRate));
  const blocks = pMapIterable(numbers(first, end.number), ahead.read, { concurrency });
  const before = await readParent(network, start, (block) => readKnownHeader(network, block));
  let parent: Parent = { ...start, header: before.kind === 'fetched' ? before.value : undefined };
  let unlinked: SummedBlock | undefined;
  for await (const number of blocks) {
    const block = await ahead.take(number);
    if (block.kind !== 'fetched') return { ...block, contradictedBy: [] };
    const pair = unlinked ? [unlinked, block.value] : [block.value];
    const linked = await link(network, parent, await withoutOutvoted(network, ahead, parent, pair), end);
    if (linked.kind === 'no endpoint') return linked;
    // Checked after the link: if the start was forged, no endpoint has its header, and the contradiction says more.
    if (before.kind === 'no endpoint') return { ...before, contradictedBy: [] };
    const [known] = linked.value;
    if (unlinked && known) {
      yield known;
      parent = { block: known, notBefore: known.timestamp, header: known };
    }
    unlinked = linked.value.at(-1);
  }
  if (unlinked) yield unlinked;
  return { kind: 'end reached' };
}

type Ahead = ReturnType<typeof createAhead>;

/** Reads blocks before they are needed. */
function createAhead(network: AnchoredNetwork) {
  const blocks = new Map<number, Promise<Fetched<SummedBlock>>>();
  const givers = new Map<number, string>();
  const start = async (number: number) => {
    const block = readBlock(network, number);
    blocks.set(number, block);
    // A failure is reported when the stream reaches this block.
    await block.then(
      (read) => void (read.kind === 'fetched' && givers.set(number, read.value.host)),
      () => {},
    );
    return number;
  };
  return {
    /** Reads a block, and returns its number. */
    read: start,
    take: async (number: number) => {
      const block = await (blocks.get(number) ?? readBlock(network, number));
      blocks.delete(number);
      givers.delete(number);
      return block;
    },
    /** Asks the host of a block later, and reads again what else it gave. */
    distrust: ({ number, host }: SummedBlock, reason: string) => {
      const { context, chain } = network;
      context.onFault(host, 'not canonical', `${host}: ${chain.name} block ${number}: ${reason}`);
      askLater(network, host);
      for (const [given, giver] of givers) if (giver === host) void start(given);
    },
  };
}

/** Hosts of which a majority can be honest beside a liar. */
const ENOUGH_TO_VOTE = 3;

/**
 * Returns blocks as they were read if they link. Otherwise the hosts vote on each, and those that they contradict are read again. Only the
 * host that gave such a block is asked later.
 */
async function withoutOutvoted(
  network: AnchoredNetwork,
  ahead: Ahead,
  parent: Parent,
  read: readonly SummedBlock[],
) {
  const { chain, hosts } = network;
  if (!linkProblem(chain.name, parent, read) || hosts.length < ENOUGH_TO_VOTE) return read;
  const votes = await Promise.all(read.map(async (block) => ({ block, vote: await voteOn(network, block) })));
  for (const { block, vote } of votes) if (vote.kind === 'contradicted') ahead.distrust(block, vote.reason);
  const again = votes.map(async ({ block, vote }) => {
    const other = vote.kind === 'contradicted' ? await readBlock(network, block.number) : undefined;
    return other?.kind === 'fetched' ? other.value : block;
  });
  return Promise.all(again);
}

/**
 * Returns blocks that link: as they were read, or else all of them read again from a single endpoint. Two endpoints cannot show which block
 * is wrong, but one endpoint whose blocks all link settles it.
 */
async function link(network: AnchoredNetwork, parent: Parent, read: readonly SummedBlock[], end: BlockRef) {
  const { name } = network.chain;
  const refusalIn = (blocks: readonly SummedBlock[]) =>
    linkProblem(name, parent, blocks, end) ?? ruleProblem(network, parent, blocks);
  if (!refusalIn(read)) return { kind: 'fetched', value: read } as const;
  const numbersRead = read.map(({ number }) => number);
  const contradictedBy = new Set<string>();
  /** Hosts that say that they do not have a block, and so contradict none. */
  const lacking: string[] = [];
  const again = await requestWithFailover(
    network.context,
    upstreamsFor(network),
    `${name} block ${numbersRead.join(' and its child ')}`,
    async (rpc, upstream) => {
      const { host } = upstream.endpoint;
      const reads = numbersRead.map((number) => readBlockFrom(network, number, rpc, host));
      const attempts = await Promise.all(reads).catch((error) => {
        if (UNAVAILABLE_KINDS.has(error.kind)) lacking.push(host);
        throw error;
      });
      const refusal = attempts.find((attempt) => 'refused' in attempt);
      if (refusal) return refusal;
      const blocks = attempts.flatMap((attempt) => ('value' in attempt ? [attempt.value] : []));
      const refused = refusalIn(blocks);
      if (!refused) return { value: blocks };
      // A rule that is not known here says nothing against the endpoint.
      if (refused.fault === 'unknown rule') return refused;
      const own = linkProblem(name, { notBefore: 0 }, blocks, end);
      // Blocks that link to each other may be right, and those before them wrong, which came from another endpoint.
      if (own) askLater(network, host);
      else contradictedBy.add(upstream.endpoint.provider);
      return refused;
    },
  );
  if (again.kind === 'fetched') return again;
  const now = network.context.clock.now();
  // Without a fault, an endpoint pauses because its next call would exceed its rate.
  const faultOf = ({ fault, health }: Upstream) =>
    health.faults > 0 ? fault?.kind : isCoolingDown(health, now) && 'rate limit';
  const hostsAfter = (...kinds: readonly unknown[]) =>
    upstreamsFor(network).flatMap((one) => (kinds.includes(faultOf(one)) ? [one.endpoint.host] : []));
  const unheard = [...hostsAfter('unreachable', 'timeout'), ...lacking];
  return { ...again, contradictedBy: [...contradictedBy], limited: hostsAfter('rate limit'), unheard };
}

function* numbers(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}
