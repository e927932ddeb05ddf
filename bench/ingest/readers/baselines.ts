import { Agent, request } from 'undici';
import { keccak256, loadKeccak } from '../../../core/proof/encoding/keccak.ts';
import { type BenchReader, CALLS_AT_ONCE, eachBlock } from './reader.ts';

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

/** A minimal reader: parses the same responses from the same HTTP client, and only counts receipts. Its fees are 0. */
export function openBaseline(url: string): BenchReader {
  const read = pairOfCalls(url, ['eth_getBlockByNumber', 'eth_getBlockReceipts'], true);
  return eachBlock(async (number) => {
    const [, receipts] = await read(number);
    return { transactions: receipts.length, fees: 0n };
  });
}

/** Decodes the hex of both responses and hashes all bytes once, without a look at them. Its fees are 0. */
export async function openRawBaseline(url: string): Promise<BenchReader> {
  await loadKeccak();
  const read = pairOfCalls<string, string>(url, ['debug_getRawBlock', 'debug_getRawReceipts']);
  return eachBlock(async (number) => {
    const [block, receipts] = await read(number);
    for (const hex of [block, ...receipts]) keccak256(Buffer.from(hex.slice(2), 'hex'));
    return { transactions: receipts.length, fees: 0n };
  });
}
