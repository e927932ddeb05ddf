import type { Call } from './json-rpc-server.ts';
import type { Random } from './random.ts';
import type { Json, RandomBlock } from './random-block.ts';
import type { RandomChain } from './random-chain.ts';

/** A call, understood. */
export interface Asked {
  readonly call: Call;
  readonly what: 'chain id' | 'newest number' | 'header' | 'receipts';
  /** How a block is asked for. */
  readonly by?: 'number' | 'finalized' | 'latest';
  /** Whether transactions are asked for as objects. */
  readonly isFull?: boolean;
}

/** What a fault in what is told of a block may need to know. */
export interface Scene {
  readonly world: RandomChain;
  readonly random: Random;
  /** The node's: no two of them tell the same lie. */
  readonly name: string;
  readonly asked: Asked;
  /** The one that is told of, which may be another one than was asked for. */
  readonly block: RandomBlock;
}

/** Changes what is told; undefined, or the same again, where it does not apply. */
export type Alteration<T> = (told: T, scene: Scene) => T | undefined;

export const without = (json: Json, field: string): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => name !== field));
