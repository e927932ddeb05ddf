import pMap from 'p-map';
import { Agent, request } from 'undici';
import { createPublicClient, http } from 'viem';
import { keccak256 } from '../../core/proof/encoding/keccak.ts';
import { HEAD } from '../node/chain.ts';
import { CALLS_AT_ONCE, type Found } from './reader.ts';

const kinds = { undici, raw, viem };

/** Opens a reader that proves nothing. It reads the last blocks up to the finalized one, with the ingest's concurrency. */
export async function open({ kind, url, blocks }: { kind: keyof typeof kinds; url: string; blocks: number }) {
  const read = await kinds[kind](url);
  const numbers = Array.from({ length: blocks }, (_, index) => HEAD - index);
  return async (): Promise<Found> => {
    const found = await pMap(numbers, read, { concurrency: CALLS_AT_ONCE / 2 });
    const transactions = found.reduce((sum, one) => sum + one.transactions, 0);
    return {
      transactions,
      ...(kind === 'viem' && { fees: found.reduce((sum, { fees }) => sum + fees, 0n) }),
    };
  };
}

/** Returns a function that reads one block by two methods, with the HTTP client of the ingest. */
function pairOfCalls<Block, Receipt>(url: string, methods: readonly [string, string], ...options: unknown[]) {
  const dispatcher = new Agent({ connections: CALLS_AT_ONCE });
  const headers = { 'content-type': 'application/json' };
  let id = 0;
  const call = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    const response = await request(url, { dispatcher, method: 'POST', headers, body });
    return JSON.parse(await response.body.text()).result;
  };
  const [block, receipts] = methods;
  return (number: number): Promise<[Block, readonly Receipt[]]> => {
    const at = `0x${number.toString(16)}`;
    return Promise.all([call(block, at, ...options), call(receipts, at)]);
  };
}

/** Parses the same responses from the same HTTP client, and only counts receipts. */
function undici(url: string) {
  const read = pairOfCalls(url, ['eth_getBlockByNumber', 'eth_getBlockReceipts'], true);
  return async (number: number) => ({ transactions: (await read(number))[1].length, fees: 0n });
}

/** Decodes the hex of both responses and hashes all bytes once, without a look at them. */
async function raw(url: string) {
  const read = pairOfCalls<string, string>(url, ['debug_getRawBlock', 'debug_getRawReceipts']);
  return async (number: number) => {
    const [block, receipts] = await read(number);
    for (const hex of [block, ...receipts]) keccak256(Buffer.from(hex.slice(2), 'hex'));
    return { transactions: receipts.length, fees: 0n };
  };
}

/** Decodes the same responses with viem, which has an action for each of the two calls. */
function viem(url: string) {
  const client = createPublicClient({ transport: http(url) });
  return async (number: number) => {
    const blockNumber = BigInt(number);
    const [block, receipts] = await Promise.all([
      client.getBlock({ blockNumber, includeTransactions: true }),
      client.getBlockReceipts({ blockNumber }),
    ]);
    return {
      transactions: block.transactions.length,
      fees: receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n),
    };
  };
}
