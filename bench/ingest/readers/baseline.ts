import { Agent, request } from 'undici';
import { type BenchReader, CALLS_AT_ONCE, eachBlock } from './reader.ts';

/** A minimal reader: parses the same responses from the same HTTP client, and only counts receipts. Its fees are 0. */
export function openBaseline(url: string): BenchReader {
  const dispatcher = new Agent({ connections: CALLS_AT_ONCE });
  const headers = { 'content-type': 'application/json' };
  let id = 0;
  const call = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    const response = await request(url, { dispatcher, method: 'POST', headers, body });
    return JSON.parse(await response.body.text());
  };
  return eachBlock(async (number) => {
    const at = `0x${number.toString(16)}`;
    const [, receipts]: [unknown, { result: unknown[] }] = await Promise.all([
      call('eth_getBlockByNumber', at, true),
      call('eth_getBlockReceipts', at),
    ]);
    return { transactions: receipts.result.length, fees: 0n };
  });
}
