import type { Random } from '#test/support/generators/random/random.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import type { DecodedCall } from './fault-scene.ts';
import { bodyOf, type NodeResponse } from './json-rpc-server.ts';

/** A call and its correct response. */
export interface Refused {
  readonly request: DecodedCall;
  readonly right: { readonly result: unknown };
  /** The requested block; absent if the call is not about a block or the node cannot have it yet. */
  readonly block?: RandomBlock | undefined;
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns a refusal; undefined when it does not apply. */
type Refusal = (refused: Refused) => NodeResponse | undefined;

const error = (code: number, message: string): NodeResponse => ({ error: { code, message } });

/** Truncates a text anywhere before its end. */
function partOf({ request, right, random }: Refused): string {
  const text = bodyOf(request.call, right);
  return text.slice(0, random.below(text.length));
}

/** A block without its raw transaction counts as not proven, as if the node had lied. */
const isRefusable = ({ by, what }: DecodedCall) => by === 'number' && what !== 'raw transaction';

export const refusals = {
  hang: () => ({ hang: true }),
  'hang-up': () => ({ hangUp: true }),
  'cut-off': (refused) => ({ cutOff: partOf(refused) }),
  'truncated-json': (refused) => ({ status: 200, body: partOf(refused) }),
  html: () => ({
    status: 200,
    body: '<!DOCTYPE html><html><body>Checking your browser</body></html>',
    headers: { 'content-type': 'text/html' },
  }),
  'http-500': ({ random }) => ({ status: random.pick([500, 502, 503, 504]), body: 'upstream error' }),
  'http-429': ({ random, now }) => ({
    status: 429,
    body: random.pick(['', '{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"slow down"}}']),
    headers: { 'retry-after': retryAfter(random, now) },
  }),
  'http-413': () => ({ status: 413, body: 'too large' }),
  'rate-limited': ({ random }) =>
    error(
      ...random.pick<[number, string]>([
        [-32005, 'daily request count exceeded, request rate limited'],
        [-32029, 'too many requests'],
        [-32011, 'rate limited'],
        [-32000, 'compute units limit exceeded'],
      ]),
    ),
  'too-large': ({ request, random }) =>
    request.by ? error(random.pick([-32003, -32008]), 'response is too big') : undefined,
  pruned: ({ request }) => (isRefusable(request) ? error(4444, 'pruned history unavailable') : undefined),
  'unknown-block': ({ request, random }) =>
    isRefusable(request)
      ? random.pick<NodeResponse>([
          { result: null },
          error(-32000, 'header not found'),
          error(-32001, 'Cannot find block'),
        ])
      : undefined,
  'wrong-id': ({ request, right }) => ({ ...right, id: Number(request.call.id) + 1 }),
  'missing-result': () => ({ result: undefined }),
  'finalized-unknown': ({ request }) =>
    request.by === 'finalized' ? error(-39001, 'finalized block not found') : undefined,
  'finalized-null': ({ request }) => (request.by === 'finalized' ? { result: null } : undefined),
  'receipts-null': ({ request }) => (request.what === 'receipts' ? { result: null } : undefined),
  // A correct response for a block with only Polygon's pseudo-transaction.
  'receipts-empty': ({ request, block }) =>
    request.what === 'receipts' && block?.receipts.some((receipt) => receipt !== block.stateSync)
      ? { result: [] }
      : undefined,
  /** Harmless: an empty genesis block has no receipts. */
  'genesis-receipts': ({ request, block }) =>
    request.what === 'receipts' && block?.header.number === '0x0'
      ? error(-32000, 'genesis is not traceable')
      : undefined,
} satisfies Record<string, Refusal>;

/** Returns seconds or an HTTP date. */
function retryAfter(random: Random, now: number): string {
  const seconds = 1 + random.below(60);
  return random.chance(0.5) ? `${seconds}` : new Date(now + seconds * 1000).toUTCString();
}
