import { Agent, request } from 'undici';
import { CALLS_AT_ONCE, eachBlock, type Reader } from './reader.ts';

/**
 * The least that reading JSON takes: the same answers over the same HTTP client, parsed, and nothing done with them but
 * counting the receipts. Its fees are 0.
 */
export function openFloor(url: string): Reader {
  const dispatcher = new Agent({ connections: CALLS_AT_ONCE });
  const headers = { 'content-type': 'application/json' };
  let id = 0;
  const ask = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    const answer = await request(url, { dispatcher, method: 'POST', headers, body });
    return JSON.parse(await answer.body.text());
  };
  return eachBlock(async (number) => {
    const at = `0x${number.toString(16)}`;
    const [, receipts]: [unknown, { result: unknown[] }] = await Promise.all([
      ask('eth_getBlockByNumber', at, false),
      ask('eth_getBlockReceipts', at),
    ]);
    return { transactions: receipts.result.length, fees: 0n };
  });
}
