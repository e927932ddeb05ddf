import type { Asked } from './fault-scene.ts';
import {
  type FaultKind,
  faultKinds,
  rightOf,
  type Told,
  toldInstead,
  toldOfBlock,
  toldOfChain,
} from './faults.ts';
import type { Answer, Call } from './json-rpc-server.ts';
import { type Random, randomFrom } from './random.ts';
import { hex, type RandomBlock } from './random-block.ts';
import type { RandomChain } from './random-chain.ts';

export interface MisbehavingNode {
  readonly answer: (call: Call) => Answer;
  /**
   * How many answers a fault was to be seen in, by kind. One that changed nothing, or was hidden by a refusal or
   * another block, is not counted.
   */
  readonly exposed: ReadonlyMap<FaultKind, number>;
}

export interface MisbehavingNodeOptions {
  readonly world: RandomChain;
  readonly seed: number;
  readonly name: string;
  /** How likely a kind of fault is, 0 to 1, in each answer that it applies to. Asked for each answer, so it may change. */
  readonly rateOf: (kind: FaultKind) => number;
  /**
   * The number of the newest block that is final to the node just now. It has two blocks more, as far as the chain goes, and
   * knows of none after them.
   */
  readonly finalizedAt: () => number;
  /** The time, milliseconds since 1970, for the dates that it wants to be cooling down until. */
  readonly now?: () => number;
}

/**
 * A node of a random chain that does wrong by chance: what, follows from nothing but the seed, the node's name, the
 * question and how often it was asked before. So it is the same in whatever order different questions arrive.
 */
export function misbehavingNode(options: MisbehavingNodeOptions): MisbehavingNode {
  const { seed, name, rateOf } = options;
  const exposed = new Map<FaultKind, number>();
  const timesAsked = new Map<string, number>();
  const answer = (call: Call): Answer => {
    const question = JSON.stringify([call.method, call.params]);
    const times = timesAsked.get(question) ?? 0;
    timesAsked.set(question, times + 1);
    const random = randomFrom(seed, name, question, times);
    const drawn = new Set(faultKinds.filter((kind) => random.chance(rateOf(kind))));
    const { answer, kinds } = tell(options, call, drawn, random);
    for (const kind of kinds) exposed.set(kind, (exposed.get(kind) ?? 0) + 1);
    return answer;
  };
  return { answer, exposed };
}

function tell(
  { world, name, finalizedAt, now = Date.now }: MisbehavingNodeOptions,
  call: Call,
  drawn: ReadonlySet<FaultKind>,
  random: Random,
): Told {
  const asked = understood(call);
  if (!asked) {
    return { answer: { error: { code: -32601, message: `no method ${call.method}` } }, kinds: [] };
  }
  const final = finalizedAt();
  const newest = Math.min(final + 2, world.blocks.length - 1);
  if (!asked.by) {
    const right = hex(asked.what === 'chain id' ? world.chain.id : newest);
    return (
      toldInstead(drawn, { asked, right: { result: right }, random, now: now() }) ??
      toldOfChain(drawn, asked, right, random)
    );
  }
  const number = { finalized: final, latest: newest, number: Number(call.params[0]) }[asked.by];
  const block: RandomBlock | undefined = number <= newest ? world.blocks[number] : undefined;
  const right = { result: block ? rightOf(asked, block) : null };
  return (
    toldInstead(drawn, { asked, right, block, random, now: now() }) ??
    (block ? toldOfBlock(drawn, { world, random, name, asked, block }) : { answer: right, kinds: [] })
  );
}

function understood(call: Call): Asked | undefined {
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
    default:
      return undefined;
  }
}
