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

export type NodeCall = (method: string, ...params: unknown[]) => Promise<unknown>;

const requestSchema = z.object({
  id: z.unknown(),
  method: z.string(),
  params: z._default(z.array(z.unknown()), []),
});

/** The methods that are passed on: they change nothing, and name no hash of a block. */
const PASSED_ON = [
  'eth_chainId',
  'eth_blockNumber',
  'eth_call',
  'eth_getCode',
  'eth_getBalance',
  'eth_getProof',
];

/** Starts a JSON-RPC server in front of a node, whose blocks get validators and votes. It ends with the process. */
export async function startVotingNode(rules: FastFinalityRules, node: NodeCall): Promise<VotingNode> {
  const { answerTo, checkpoint } = createVotingNode(rules, node);
  const server = createServer((request, response) => {
    const end = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    json(request)
      .then(async (body) => {
        const { id, method, params } = requestSchema.parse(body);
        const result = await answerTo(method, params).then(
          (value) => ({ result: value }),
          (error: unknown) => ({ error: { code: -32601, message: String(error) } }),
        );
        end(200, { jsonrpc: '2.0', id, ...result });
      })
      .catch((error: unknown) => end(400, { error: { code: -32600, message: String(error) } }));
  }).unref();
  const port = await listen(server, { port: 0 });
  return { url: `http://${LOOPBACK}:${port}`, checkpoint };
}

function createVotingNode(rules: FastFinalityRules, node: NodeCall) {
  const blockAt = async (number: number, isFull: boolean) =>
    (await node('eth_getBlockByNumber', hexOf(number), isFull)) as Block | null;
  const chain = createVotingChain(rules, async (number) => orThrow(await blockAt(number, false), number));
  const latest = async () => Number(await node('eth_blockNumber'));
  const numberOf = async (tag: unknown): Promise<number> => {
    if (tag === 'latest') return latest();
    if (tag === 'earliest') return 0;
    return tag === 'finalized' ? finalIn(await latest()) : Number(tag);
  };
  const votedBlock = async (number: number, isFull: boolean) => {
    const block = number < 0 ? null : await blockAt(number, isFull);
    if (!block) return null;
    const header = await chain.headerAt(number);
    return { ...block, ...header, transactions: withHash(header.hash, block.transactions) };
  };
  /** Returns receipts with the hash of their block. */
  const voted = async (receipts: unknown) => {
    const { data = [] } = receiptsSchema.safeParse(receipts);
    const [first] = data;
    return first ? withHash((await chain.headerAt(Number(first.blockNumber))).hash, data) : data;
  };
  const answerTo = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const [first, second] = params;
    switch (method) {
      case 'eth_getBlockByNumber':
        return votedBlock(await numberOf(first), second === true);
      case 'eth_getBlockByHash':
        return votedBlock(chain.numberOf(String(first)), second === true);
      case 'eth_getBlockReceipts':
        return voted(await node(method, hexOf(await numberOf(first))));
      case 'eth_getTransactionReceipt':
        return (await voted([await node(method, first)]))[0] ?? null;
      default:
        if (PASSED_ON.includes(method)) return node(method, ...params);
        throw new Error(`${method} is not available`);
    }
  };
  return { answerTo, checkpoint: async () => chain.checkpoint(await latest()) };
}

function orThrow(block: Block | null, number: number): Block {
  if (block) return block;
  throw new Error(`The development node lacks block ${number}.`);
}

type Block = RpcHeader & { readonly transactions: readonly unknown[] };

const receiptsSchema = z.array(z.looseObject({ blockNumber: z.string() }));

/** Replaces the hash of the block in transactions, receipts and their logs. */
const withHash = (hash: string, values: readonly unknown[]): unknown[] =>
  values.map((value) => {
    if (typeof value !== 'object' || value === null) return value;
    const logs = 'logs' in value && Array.isArray(value.logs) ? { logs: withHash(hash, value.logs) } : {};
    return { ...value, blockHash: hash, ...logs };
  });

const hexOf = (number: number): string => `0x${number.toString(16)}`;
