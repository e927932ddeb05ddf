import { addressOf, hashOf } from './builders.ts';
import type { Call, NodeResponse } from './json-rpc-server.ts';

/** A block as a node returns it, with its receipts. */
export interface RawBlock {
  readonly header: Record<string, unknown> & { number: string; hash: string; transactions: string[] };
  readonly receipts: readonly Record<string, unknown>[];
}

const hex = (value: number | bigint) => `0x${value.toString(16)}`;

/**
 * Creates a chain of blocks at the given times, in seconds. Block n has n % 3 transfers of 21,000 gas at n wei per gas, so that
 * sums over blocks are easy to compute.
 */
export function sampleChain(times: readonly number[], name = 'sample'): RawBlock[] {
  return times.map((timestamp, number) => {
    const hash = hashOf(`${name} ${number}`);
    const receipts = Array.from({ length: number % 3 }, (_, index) => ({
      transactionHash: hashOf(`${name} ${number} ${index}`),
      transactionIndex: hex(index),
      blockHash: hash,
      blockNumber: hex(number),
      type: '0x0',
      from: addressOf('sender'),
      to: addressOf('receiver'),
      gasUsed: hex(21_000),
      cumulativeGasUsed: hex(21_000 * (index + 1)),
      effectiveGasPrice: hex(number),
    }));
    const header = {
      number: hex(number),
      hash,
      parentHash: number === 0 ? `0x${'0'.repeat(64)}` : hashOf(`${name} ${number - 1}`),
      timestamp: hex(timestamp),
      miner: addressOf('miner'),
      transactions: receipts.map(({ transactionHash }) => transactionHash),
    };
    return { header, receipts };
  });
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
): (call: Call) => NodeResponse {
  return ({ method, params: [tag] }) => {
    const block = blocks[tag === 'finalized' ? finalized : Number(tag)];
    if (method === 'eth_chainId') return { result: hex(chainId) };
    if (method === 'eth_getBlockByNumber') return { result: block?.header ?? null };
    if (method === 'eth_getBlockReceipts') return { result: block?.receipts ?? null };
    return { error: { code: -32601, message: `the method ${method} does not exist` } };
  };
}
