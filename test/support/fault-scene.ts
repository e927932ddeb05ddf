import type { Call } from './json-rpc-server.ts';
import type { Random } from './random.ts';
import type { Json, RandomBlock } from './random-block.ts';
import type { RandomChain } from './random-chain.ts';

/** A decoded call. */
export interface DecodedCall {
  readonly call: Call;
  readonly what: 'chain id' | 'newest number' | 'header' | 'receipts';
  /** Number or tag of the block. */
  readonly by?: 'number' | 'finalized' | 'latest';
  /** True when the call requests full transactions. */
  readonly isFull?: boolean;
}

/** The input of a fault. */
export interface Scene {
  readonly world: RandomChain;
  readonly random: Random;
  /** Of the node, so that no two nodes make the same fault. */
  readonly name: string;
  readonly request: DecodedCall;
  /** The block in the response, which may be another than the requested one. */
  readonly block: RandomBlock;
}

/** Changes a response; returns undefined, or the same, when the fault does not apply. */
export type Alteration<T> = (faulty: T, scene: Scene) => T | undefined;

export const without = (json: Json, field: string): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => name !== field));
