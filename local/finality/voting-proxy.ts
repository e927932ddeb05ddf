import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod/mini';
import type { FastFinalityRules } from '../../core/chains/finality-rules.ts';
import type { RpcHeader } from '../../core/proof/json/rpc-types.ts';
import { LOOPBACK, listen } from '../listen.ts';
import { createVotingChain, finalIn } from './voting-chain.ts';

/** A node of a development chain of BSC. */
export interface VotingNode {
  readonly url: string;
  /** Returns the hash of a final epoch block. */
  readonly checkpoint: () => Promise<string>;
}

type NodeCall = (method: string, ...params: unknown[]) => Promise<unknown>;

const requestSchema = z.object({
  id: z.unknown(),
  method: z.string(),
  params: z._default(z.array(z.unknown()), []),
});

/** The methods that are passed on: they change nothing, and name no hash of a block. */
const PASSED_ON = ['eth_chainId', 'eth_blockNumber', 'eth_call', 'eth_getCode', 'eth_getBalance'];

/** Starts a JSON-RPC server in front of a node, whose blocks get validators and votes. It ends with the process. */
export async function startVotingNode(rules: FastFinalityRules, node: NodeCall): Promise<VotingNode> {
  const blockAt = async (number: number, isFull: boolean) => {
    const block = await node('eth_getBlockByNumber', hexOf(number), isFull);
    return block as (RpcHeader & { readonly transactions: readonly unknown[] }) | null;
  };
  const chain = createVotingChain(rules, async (number) => {
    const header = await blockAt(number, false);
    if (header) return header;
    throw new Error(`The development node lacks block ${number}.`);
  });
  const latest = async () => Number(await node('eth_blockNumber'));
  const numberOf = async (tag: unknown): Promise<number> => {
    if (tag === 'latest') return latest();
    if (tag === 'earliest') return 0;
    return tag === 'finalized' ? finalIn(await latest()) : Number(tag);
  };
  const withHash = (hash: string, values: readonly unknown[]): unknown[] =>
    values.map((value) => {
      if (typeof value !== 'object' || value === null) return value;
      const logs = 'logs' in value && Array.isArray(value.logs) ? { logs: withHash(hash, value.logs) } : {};
      return { ...value, blockHash: hash, ...logs };
    });
  const votedBlock = async (number: number, isFull: boolean) => {
    const block = await blockAt(number, isFull);
    if (!block) return null;
    const header = await chain.headerAt(number);
    return { ...block, ...header, transactions: withHash(header.hash, block.transactions) };
  };
  const receiptsOf = async (number: number) => {
    const receipts = await node('eth_getBlockReceipts', hexOf(number));
    if (!Array.isArray(receipts)) return receipts;
    return withHash((await chain.headerAt(number)).hash, receipts);
  };
  const receiptOf = async (hash: unknown) => {
    const receipt = await node('eth_getTransactionReceipt', hash);
    const { data } = z.object({ blockNumber: z.string() }).safeParse(receipt);
    if (!data) return receipt;
    return withHash((await chain.headerAt(Number(data.blockNumber))).hash, [receipt])[0];
  };
  const answerTo = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const [first, second] = params;
    switch (method) {
      case 'eth_getBlockByNumber':
        return votedBlock(await numberOf(first), second === true);
      case 'eth_getBlockByHash': {
        const number = chain.numberOf(String(first));
        return number === undefined ? null : votedBlock(number, second === true);
      }
      case 'eth_getBlockReceipts':
        return receiptsOf(await numberOf(first));
      case 'eth_getTransactionReceipt':
        return receiptOf(first);
      default:
        if (PASSED_ON.includes(method)) return node(method, ...params);
        throw new Error(`${method} is not available`);
    }
  };
  const server = createServer((request, response) => {
    const answer = async () => {
      const { id, method, params } = requestSchema.parse(await json(request));
      const result = await answerTo(method, params).then(
        (value) => ({ result: value }),
        (error: unknown) => ({ error: { code: -32601, message: String(error) } }),
      );
      return { jsonrpc: '2.0', id, ...result };
    };
    const end = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    answer().then(
      (body) => end(200, body),
      (error: unknown) => end(400, { error: { code: -32600, message: String(error) } }),
    );
  }).unref();
  const port = await listen(server, { port: 0 });
  return { url: `http://${LOOPBACK}:${port}`, checkpoint: async () => chain.checkpoint(await latest()) };
}

const hexOf = (number: number): string => `0x${number.toString(16)}`;
