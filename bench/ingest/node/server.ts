import { createServer, type IncomingMessage, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import * as z from 'zod';
import { type CannedChain, HEAD } from './chain.ts';

const callSchema = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()) });
const requestSchema = z.union([callSchema, z.array(callSchema)]);
type Call = z.output<typeof callSchema>;

export interface Pace {
  /** Delay of each response. */
  readonly latencyMs: number;
  /** Number of concurrent responses; further calls wait. */
  readonly atOnce: number;
  /** Calls a second, and as many at once, above which calls are refused; any number without it. */
  readonly perSecond?: number | undefined;
}

/** The kind of node: providers do not offer RLP, nodes of one's own do. */
export interface Offer {
  readonly isRaw: boolean;
}

/** Creates a JSON-RPC node with prepared responses, which supports batches. */
export function cannedServer(
  chain: CannedChain,
  { latencyMs, atOnce, perSecond, isRaw }: Pace & Offer,
): Server {
  const limit = pLimit(atOnce);
  const isBorne = limitPerSecond(perSecond ?? Number.MAX_SAFE_INTEGER);
  const server = createServer(async (request, response) => {
    const calls = requestSchema.parse(JSON.parse(await textOf(request)));
    if (latencyMs > 0) await limit(() => wait(latencyMs));
    if (!isBorne()) {
      response.writeHead(429).end();
      return;
    }
    const parts = Array.isArray(calls) ? batch(chain, calls, isRaw) : responseTo(chain, calls, isRaw);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    for (const part of parts) response.write(part);
    response.end();
  });
  // Keeps connections open while other clients are measured.
  server.keepAliveTimeout = 600_000;
  return server;
}

/** Returns a function that counts a call, and returns whether the node answers it. */
function limitPerSecond(perSecond: number): () => boolean {
  let [left, seenAt] = [perSecond, performance.now()];
  return () => {
    const now = performance.now();
    left = Math.min(perSecond, left + ((now - seenAt) / 1_000) * perSecond);
    seenAt = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

const batch = (chain: CannedChain, calls: readonly Call[], isRaw: boolean): Buffer[] => [
  Buffer.from('['),
  ...calls.flatMap((call, index) => [Buffer.from(index > 0 ? ',' : ''), ...responseTo(chain, call, isRaw)]),
  Buffer.from(']'),
];

const responseTo = (chain: CannedChain, call: Call, isRaw: boolean): Buffer[] => {
  const begin = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},`);
  const result = call.method.startsWith('debug_') && !isRaw ? undefined : resultOf(chain, call);
  return result
    ? [begin, Buffer.from('"result":'), result, Buffer.from('}')]
    : [begin, Buffer.from('"error":{"code":-32601,"message":"the method does not exist"}}')];
};

function resultOf(chain: CannedChain, { method, params: [first, isFull] }: Call): Buffer {
  switch (method) {
    case 'eth_chainId':
      return chain.chainId;
    case 'eth_getBlockByNumber':
      return chain.block(first === 'finalized' ? HEAD : Number(first), isFull === true ? 'full' : 'hashes');
    case 'eth_getBlockReceipts':
      return chain.receipts(Number(first));
    case 'eth_getTransactionReceipt':
      return chain.receipt(String(first));
    case 'debug_getRawBlock':
      return chain.rawBlock(Number(first));
    case 'debug_getRawReceipts':
      return chain.rawReceipts;
    default:
      throw new Error(`The canned node does not support ${method}.`);
  }
}
