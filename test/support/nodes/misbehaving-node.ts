import { hex } from '#test/support/generators/blocks/seal.ts';
import { type Random, randomFrom } from '#test/support/generators/random/random.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import type { RandomChain } from '#test/support/generators/random/random-chain.ts';
import type { DecodedCall } from './fault-scene.ts';
import {
  blockResponse,
  chainResponse,
  consistentKinds,
  type FaultKind,
  type FaultyResponse,
  faultKinds,
  refusalOf,
  rightOf,
} from './faults.ts';
import type { Call, NodeAnswer, NodeResponse } from './json-rpc-server.ts';

export interface MisbehavingNode {
  readonly answer: NodeAnswer;
  /**
   * Number of responses with a visible fault, by kind. Faults without an effect, or hidden by a refusal or another block, are
   * not counted.
   */
  readonly exposed: ReadonlyMap<FaultKind, number>;
}

/** A chain up to its newest final block, of which the node has up to two later blocks; or a response without any chain. */
type Telling = { readonly world: RandomChain; readonly final: number } | NodeResponse;

/**
 * Returns what a node tells in response to a call about a block.
 * @param random depends on the call and its number of repetitions
 * @param times how often the node was asked the same before
 */
export type Tell = (request: DecodedCall, random: Random, times: number) => Telling;

export interface MisbehavingNodeOptions {
  readonly world: RandomChain;
  readonly seed: number;
  readonly name: string;
  /** Returns the probability of a fault in each response that it applies to. Called for each response, so it may change. */
  readonly rateOf: (kind: FaultKind) => number;
  /**
   * Returns the number of the node's newest final block. The node has up to two later blocks.
   */
  readonly finalizedAt: () => number;
  /** Tells something else than this world. Its lies about single blocks come on top. */
  readonly tell?: Tell | undefined;
  /** Milliseconds since 1970, for the dates in Retry-After. */
  readonly now?: () => number;
}

/**
 * A node of a random chain with random faults. They depend only on the seed, the node's name, the call and its number of
 * repetitions, so they are the same for any order of different calls. Lies depend on the block alone.
 */
export function misbehavingNode(options: MisbehavingNodeOptions): MisbehavingNode {
  const { seed, name } = options;
  const exposed = new Map<FaultKind, number>();
  const timesAsked = new Map<string, number>();
  const answer: NodeAnswer = (asked) => {
    const call = byNumber(options.world, asked);
    const question = JSON.stringify([call.method, call.params]);
    const times = timesAsked.get(question) ?? 0;
    timesAsked.set(question, times + 1);
    const random = (...labels: readonly string[]) => randomFrom(seed, name, question, times, ...labels);
    const request = understood(call);
    const told = (request?.by && options.tell?.(request, random('told'), times)) ?? {
      world: options.world,
      final: options.finalizedAt(),
    };
    if (!('world' in told)) return told;
    const { answer, kinds } = respond({ ...options, ...told }, call, request, random());
    for (const kind of kinds) exposed.set(kind, (exposed.get(kind) ?? 0) + 1);
    return answer;
  };
  return { answer, exposed };
}

function respond(
  { world, final, seed, name, rateOf, now = Date.now }: MisbehavingNodeOptions & { readonly final: number },
  call: Call,
  request: DecodedCall | undefined,
  random: Random,
): FaultyResponse {
  const newest = Math.min(final + 2, world.blocks.length - 1);
  const number = request?.by && { finalized: final, latest: newest, number: numberIn(request) }[request.by];
  const draw = (from: Random, isSteady: boolean) =>
    faultKinds.filter((kind) => consistentKinds.has(kind) === isSteady && from.chance(rateOf(kind)));
  const steady = randomFrom(seed, name, 'lies', number ?? 0);
  const drawn = new Set([...draw(random, false), ...draw(steady, true)]);
  if (!request) {
    return { answer: { error: { code: -32601, message: `no method ${call.method}` } }, kinds: [] };
  }
  if (number === undefined) {
    const right = hex(request.what === 'chain id' ? world.chain.id : newest);
    return (
      refusalOf(drawn, { request, right: { result: right }, random, now: now() }) ??
      chainResponse(drawn, request, right, random)
    );
  }
  const block: RandomBlock | undefined = number <= newest ? world.blocks[number] : undefined;
  const right = { result: block ? rightOf(request, block) : null };
  return (
    refusalOf(drawn, { request, right, block, random, now: now() }) ??
    (block
      ? blockResponse(drawn, { world, random, name, request, block }, steady)
      : { answer: right, kinds: [] })
  );
}

/** Returns a call for a block by its number in place of one by its hash. */
function byNumber({ blocks }: RandomChain, call: Call): Call {
  if (call.method !== 'eth_getBlockByHash') return call;
  const [hash, ...params] = call.params;
  const number = blocks.findIndex(({ header }) => header.hash === hash);
  const at = hex(number < 0 ? blocks.length : number);
  return { ...call, method: 'eth_getBlockByNumber', params: [at, ...params] };
}

/** Returns the number in a call about a block. */
export const numberIn = ({ call: { params }, what }: DecodedCall): number =>
  Number(params[what === 'constraints' ? 1 : 0]);

function understood(call: Call): DecodedCall | undefined {
  const { method, params } = call;
  const [at, isFull] = params;
  const by = at === 'finalized' || at === 'latest' ? at : 'number';
  switch (method) {
    case 'eth_chainId':
      return { call, what: 'chain id' };
    case 'eth_blockNumber':
      return { call, what: 'newest number' };
    case 'eth_getBlockByNumber':
      return { call, what: 'header', by, isFull: isFull === true };
    case 'eth_getBlockReceipts':
      return { call, what: 'receipts', by };
    case 'eth_getRawTransactionByBlockNumberAndIndex':
      return { call, what: 'raw transaction', by };
    case 'eth_call':
      return { call, what: 'constraints', by: 'number' };
    default:
      return undefined;
  }
}
