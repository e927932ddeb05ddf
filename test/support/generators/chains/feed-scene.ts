import type { PriceFeed } from '#core/chains/chain-facts.ts';
import type { Chain } from '#core/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '#core/figures/calendar.ts';
import { bloomOf } from '#core/proof/encoding/bloom.ts';
import type { Log } from '#core/proof/json/rpc-types.ts';
import { ANSWER_UPDATED, NEW_TRANSMISSIONS } from '#core/proof/price-updates.ts';
import { blockResponse, hex, type RawBlock } from '#test/support/generators/blocks/seal.ts';
import { type Pair, sealedChain } from '#test/support/generators/blocks/sealed-block.ts';
import { stateWith } from '#test/support/generators/blocks/storage.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { base, ethereum, type Scene } from './day-scenes.ts';
import { answerFrom } from './sample-chain.ts';
import { at, DAY } from './sample-days.ts';

/* Days on which a price feed records prices. */

export const AGGREGATOR = `0x${'7d'.repeat(20)}`;
export const OTHER_AGGREGATOR = `0x${'8e'.repeat(20)}`;
export const FIRST_ANSWER = 200_000_000_000n;
const BLOCKS_PER_DAY = 8;
const SECONDS = 86_400 / BLOCKS_PER_DAY;
/** A price of two blocks before counts, and no older one. */
const MAX_AGE = 2 * SECONDS;
const DAYS = 7;
/** Genesis is before the first day. */
export const FIRST_OF_DAY = (day: number): number => 1 + day * BLOCKS_PER_DAY;

export function feedOf({ name, priceFeed }: Chain): PriceFeed {
  if (!priceFeed) throw new Error(`${name} has no feed`);
  return priceFeed;
}

const withMaxAge = (chain: Chain): Chain => ({ ...chain, priceFeed: { ...feedOf(chain), maxAge: MAX_AGE } });

export const feedScenes: readonly Scene[] = [ethereum, base].map((scene) => ({
  ...scene,
  chain: withMaxAge(scene.chain),
}));

/** A price that a feed records in a block. */
interface Recorded {
  readonly aggregator?: string;
  readonly answer: bigint;
  readonly round: bigint;
  /** Instead of the time of the block. */
  readonly updatedAt?: number;
  /** Instead of the transmitted answer. */
  readonly transmitted?: bigint;
}

/** The feed in each block. */
export interface Feed {
  readonly recordedIn: (number: number) => readonly Recorded[];
  /** Aggregator that the proxy names after a block. */
  readonly usedAfter: (number: number) => string;
}

/** Records one price in each block. */
export const steadyFeed: Feed = {
  recordedIn: (number) => [{ answer: FIRST_ANSWER + BigInt(number * 1_000_003), round: BigInt(number) }],
  usedAfter: () => AGGREGATOR,
};

const word = (value: bigint | number) =>
  `0x${BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')}`;

function logsOf({ aggregator = AGGREGATOR, answer, round, ...given }: Recorded, time: number): Log[] {
  const of = { address: aggregator };
  const transmitted = {
    topics: [NEW_TRANSMISSIONS[1] ?? '', word(round)],
    data: word(given.transmitted ?? answer),
  };
  const updated = {
    topics: [ANSWER_UPDATED, word(answer), word(round)],
    data: word(given.updatedAt ?? time),
  };
  return [transmitted, updated].map((log) => ({ ...of, ...log }));
}

const union = (blooms: readonly string[]): string =>
  hex(blooms.reduce((bits, bloom) => bits | BigInt(bloom), 0n))
    .replace('0x', '')
    .padStart(512, '0')
    .replace(/^/, '0x');

/** A chain of some days, whose state names the aggregator. */
export interface FeedChain {
  readonly scene: Scene;
  readonly blocks: readonly RawBlock[];
  readonly feed: Feed;
  readonly prove: (aggregator: string) => Promise<object>;
}

export async function feedChain(scene: Scene, feed: Feed, days = DAYS): Promise<FeedChain> {
  const { proxy } = feedOf(scene.chain);
  const stateOf = (aggregator: string) =>
    stateWith(proxy, new Map([[2n, Buffer.from(`${aggregator.slice(2)}0007`, 'hex')]]));
  const states = new Map(
    await Promise.all([AGGREGATOR, OTHER_AGGREGATOR].map(async (one) => [one, await stateOf(one)] as const)),
  );
  const numbers = Array.from({ length: days * BLOCKS_PER_DAY + 1 }, (_, number) => number);
  const blocks = sealedChain(
    scene.chain,
    numbers.map((number) => {
      const time = at(0, (number - 1) * SECONDS + (number === 0 ? SECONDS - 1 : 60));
      const logs = feed.recordedIn(number).flatMap((one) => logsOf(one, time));
      const pairs: Pair[] = scene.pairs.map((pair, index) =>
        index === 1 ? { ...pair, receipt: { ...pair.receipt, logs, logsBloom: bloomOf(logs) } } : pair,
      );
      const { root: stateRoot } = states.get(feed.usedAfter(number)) ?? { root: '' };
      const header = { ...scene.header, stateRoot, timestamp: hex(time), logsBloom: union([bloomOf(logs)]) };
      return { header, pairs: number === 0 ? [] : pairs };
    }),
  );
  const prove = async (aggregator: string) => {
    const { accountProof, storageProof } = (await states.get(aggregator)?.prove(2n)) ?? {};
    return { accountProof, storageProof: [{ key: '0x2', value: '0x0', proof: storageProof }] };
  };
  return { scene, blocks, feed, prove };
}

/** The state that a node gives. */
export interface StateOffer {
  readonly proofs: boolean;
  /** State of all blocks, not only of the latest. */
  readonly isArchive: boolean;
}

/** Returns the answers of a node whose latest block is `head`, and whose final one is two blocks before. */
export async function feedNode(
  { scene, blocks, feed, prove }: FeedChain,
  head: number,
  { proofs, isArchive }: StateOffer,
): Promise<NodeAnswer> {
  const answer = answerFrom(blocks, { chainId: scene.chain.id, finalized: head - 2 });
  const proofsOf = new Map([
    [AGGREGATOR, await prove(AGGREGATOR)],
    [OTHER_AGGREGATOR, await prove(OTHER_AGGREGATOR)],
  ]);
  const stateAt = (tag: unknown) => {
    const number = Number(tag);
    return number <= head && (isArchive || number > head - 2) ? feed.usedAfter(number) : undefined;
  };
  const missing = { error: { code: -32_000, message: 'missing trie node' } };
  return (call) => {
    const { method, params } = call;
    if (method === 'eth_getBlockByNumber' && params[0] === 'latest') {
      const latest = blocks[head];
      return { result: latest ? blockResponse(latest, false) : null };
    }
    if (method === 'eth_getProof') {
      if (!proofs) return { error: { code: -32_601, message: 'the method does not exist' } };
      const used = stateAt(params[2]);
      return used ? { result: proofsOf.get(used) } : missing;
    }
    const { to } = (params[0] ?? {}) as { to?: string };
    if (method === 'eth_call' && to === feedOf(scene.chain).proxy) {
      const used = stateAt(params[1]);
      return used ? { result: `0x${used.slice(2).padStart(64, '0')}` } : missing;
    }
    return answer(call);
  };
}

/** Sums the dollars of a day in 10⁻²⁶ from what the feed records, without the code under test. */
export function expectedDollars({ scene, blocks, feed }: FeedChain, day: UtcDay): bigint {
  const { fees } = scene;
  const paid = fees.execution + fees.l1Data + fees.operator + fees.blob - fees.retryableDoubleCount;
  let price = 0n;
  let sum = 0n;
  for (const [number, { header, transactions }] of blocks.entries()) {
    if (transactions.length > 0 && dayOf(Number(header.timestamp)) === day) sum += paid * price;
    const own = feed.recordedIn(number).filter(({ aggregator = AGGREGATOR }) => aggregator === AGGREGATOR);
    price = own.at(-1)?.answer ?? price;
  }
  return sum;
}

export const feedDay = (day: number): UtcDay => addDays(DAY, day);
