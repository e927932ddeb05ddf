import type { Json } from '#test/support/generators/blocks/seal.ts';
import type { Random } from '#test/support/generators/random/random.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import type { RandomChain } from '#test/support/generators/random/random-chain.ts';
import type { Call } from './json-rpc-server.ts';

/** A decoded call. */
export interface DecodedCall {
  readonly call: Call;
  readonly what:
    | 'chain id'
    | 'newest number'
    | 'header'
    | 'receipts'
    /** The bytes of a Polygon 0x7f transaction. */
    | 'raw transaction'
    /** The multi-gas pricing constraints of Arbitrum, of which there are none. */
    | 'constraints';
  /** Number or tag of the block. */
  readonly by?: 'number' | 'finalized' | 'latest';
  /** True when the call requests full transactions. */
  readonly isFull?: boolean;
}

/** The input of a fault. */
export interface Scene {
  readonly world: RandomChain;
  readonly random: Random;
  /** The name of the node, so that no two nodes make the same fault. */
  readonly name: string;
  readonly request: DecodedCall;
  /** The block in the response, which may be another than the requested one. */
  readonly block: RandomBlock;
}

/** Changes a response; returns undefined, or the same, when the fault does not apply. */
export type Alteration<T> = (faulty: T, scene: Scene) => T | undefined;

export const without = (json: Json, ...fields: readonly string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !fields.includes(name)));

/** Returns whether a block hashes to its hash, so that its figures can be proven. */
export const isProvable = (
  { rules }: RandomChain['chain'],
  { header }: Pick<RandomBlock, 'header'>,
): boolean => rules.family !== 'arbitrum' || Number(header.number) >= rules.nitroBlock;

/** Returns whether the L1 fees of a block follow from its hash. */
export const hasProvableL1Fee = (
  { rules }: RandomChain['chain'],
  { header }: Pick<RandomBlock, 'header'>,
): boolean => rules.family === 'op-stack' && Number(header.number) >= rules.bedrockBlock;
