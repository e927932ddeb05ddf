import { Agent, request } from 'undici';
import { keccak256, loadKeccak } from '../../../core/proof/encoding/keccak.ts';
import { type BenchReader, CALLS_AT_ONCE, eachBlock } from './reader.ts';

/** Decodes the hex of both responses and hashes all bytes once, without a look at them. Its fees are 0. */
export async function openRawBaseline(url: string): Promise<BenchReader> {
  await loadKeccak();
  const dispatcher = new Agent({ connections: CALLS_AT_ONCE });
  const headers = { 'content-type': 'application/json' };
  let id = 0;
  const call = async (method: string, at: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: [at] });
    const response = await request(url, { dispatcher, method: 'POST', headers, body });
    return JSON.parse(await response.body.text());
  };
  return eachBlock(async (number) => {
    const at = `0x${number.toString(16)}`;
    const [block, receipts]: [{ result: string }, { result: readonly string[] }] = await Promise.all([
      call('debug_getRawBlock', at),
      call('debug_getRawReceipts', at),
    ]);
    for (const hex of [block.result, ...receipts.result]) keccak256(Buffer.from(hex.slice(2), 'hex'));
    return { transactions: receipts.result.length, fees: 0n };
  });
}
