import { gzipSync } from 'node:zlib';
import { type Call, type JsonRpcServer, type NodeResponse, startJsonRpcServer } from './json-rpc-server.ts';
import { rawCall } from './raw-node.ts';

/** Bodies that cost a decoder far more than they cost the node. Compressed they are at most 1,000 times smaller. */
const attacks = {
  'empty objects as receipts': { method: 'eth_getBlockReceipts', result: `[${'{},'.repeat(499_999)}{}]` },
  'numbers as transactions of a header': {
    method: 'eth_getBlockByNumber',
    result: `{"transactions":[${'1,'.repeat(5_999_999)}1]}`,
  },
  'objects as receipts that pass the check of the cost': {
    method: 'eth_getBlockReceipts',
    result: `[${`{"a":0${' '.repeat(42)}},`.repeat(300_000)}{}]`,
  },
  'nested arrays': { method: 'eth_getBlockByNumber', result: '['.repeat(8_000_000) },
} as const;

export const attackNames = Object.keys(attacks) as (keyof typeof attacks)[];

/** Starts a proxy in front of a node that answers one method with an attack, and gzips it. */
export function startHostileProxy(url: string, name: keyof typeof attacks): Promise<JsonRpcServer> {
  const { method, result } = attacks[name];
  const answer = async (call: Call): Promise<NodeResponse> => {
    if (call.method !== method) return { result: await rawCall(url, call.method, ...call.params) };
    const body = gzipSync(`{"jsonrpc":"2.0","id":${call.id},"result":${result}}`);
    return { status: 200, body, headers: { 'content-encoding': 'gzip' } };
  };
  // The node may be gone at the end of a test.
  return startJsonRpcServer((call) => answer(call).catch(() => ({ hangUp: true })));
}
