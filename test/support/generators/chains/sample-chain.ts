import { chainOf } from '#core/chains/chains.ts';
import type { BlockRef, SummedBlock } from '#core/figures/block.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import {
  blockResponse,
  hex,
  type RawBlock,
  sealBlock,
  type UnsealedBlock,
} from '#test/support/generators/blocks/seal.ts';
import { sealedChain } from '#test/support/generators/blocks/sealed-block.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';

const ETHEREUM = chainOf('ETHEREUM');

/**
 * Creates a chain of blocks at the given times, in seconds, with real hashes. Block n has n % 3 transfers of 21,000 gas at n wei
 * per gas, so that sums over blocks are easy to compute.
 * @param name distinguishes the blocks of two chains with the same times
 */
export const sampleChain = (times: readonly number[], name = 'sample'): readonly RawBlock[] =>
  sealedChain(
    ETHEREUM,
    times.map((timestamp, number) => ({
      header: { timestamp: hex(timestamp), stateRoot: hashOf(`${name} ${number}`) },
      pairs: Array.from({ length: number % 3 }, (_, index) => ({
        transaction: { nonce: hex(3 * number + index), gasPrice: hex(number) },
      })),
    })),
  );

/**
 * Replaces block `number` by a changed one and seals it and all later ones, each on its parent: a fork with real hashes.
 */
export function reseal(
  blocks: readonly RawBlock[],
  number: number,
  change: (block: RawBlock) => UnsealedBlock,
): readonly RawBlock[] {
  const forked = blocks.slice(0, number);
  for (const block of blocks.slice(number)) {
    const changed = forked.length === number ? change(block) : block;
    const parentHash =
      forked.length === number ? changed.header.parentHash : (forked.at(-1)?.header.hash ?? '');
    forked.push(sealBlock(ETHEREUM, { ...changed, header: { ...changed.header, parentHash } }));
  }
  return forked;
}

/** Returns a block that a test relies on. */
export function blockAt(blocks: readonly RawBlock[], number: number): RawBlock {
  const block = blocks[number];
  if (!block) throw new Error(`the chain has no block ${number}`);
  return block;
}

/** Returns a block as a later block, a checkpoint or a day refers to it. */
export function refAt(blocks: readonly RawBlock[], number: number): BlockRef {
  return { number, hash: blockAt(blocks, number).header.hash };
}

/** Returns a block of a sample chain as an endpoint gives it, without its fees. */
export function summedBlock(blocks: readonly RawBlock[], number: number, host: string): SummedBlock {
  const { hash, parentHash, timestamp } = blockAt(blocks, number).header;
  const totals = { ...NO_TOTALS, blocks: 1, transactions: number % 3 };
  return {
    number,
    hash,
    parentHash,
    timestamp: Number(timestamp),
    host,
    isProven: true,
    totals,
    feeBuckets: [],
  };
}

/** Returns the sums of blocks `first` to `last` of a sample chain. */
export function sampleSums(first: number, last: number): { transactions: number; fees: bigint } {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return {
    transactions: numbers.reduce((sum, number) => sum + (number % 3), 0),
    fees: numbers.reduce((sum, number) => sum + BigInt(number % 3) * 21_000n * BigInt(number), 0n),
  };
}

/** Returns the response of a correct node of this chain. */
export function answerFrom(
  blocks: readonly RawBlock[],
  { chainId = 1, finalized = blocks.length - 1 } = {},
): NodeAnswer {
  return ({ method, params: [tag, second] }) => {
    const block = blocks[tag === 'finalized' ? finalized : Number(tag)];
    switch (method) {
      case 'eth_chainId':
        return { result: hex(chainId) };
      case 'eth_getBlockByNumber':
        return { result: block ? blockResponse(block, second === true) : null };
      case 'eth_getBlockByHash': {
        const found = blocks.find(({ header }) => header.hash === tag);
        return { result: found ? blockResponse(found, second === true) : null };
      }
      case 'eth_getBlockReceipts':
        return { result: block?.receipts ?? null };
      case 'eth_getRawTransactionByBlockNumberAndIndex':
        return { result: block?.transactions[Number(second)]?.raw ?? null };
      default:
        return { error: { code: -32601, message: `the method ${method} does not exist` } };
    }
  };
}
