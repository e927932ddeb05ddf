import { getHeader } from '#core/anchor/read-header.ts';
import { readBlockFrom } from '#core/blocks/nodes/read-block.ts';
import { readRaw } from '#core/blocks/nodes/read-raw-block.ts';
import { type ChainName, chainNames, chainOf } from '#core/chains/chains.ts';
import type { EvidencePolicy } from '#core/figures/day-figures.ts';
import { EndpointError, endpointOf } from '#core/rpc/endpoint.ts';
import { parseHexJson } from '#core/rpc/http/hex-json.ts';
import { decodeResult, type Rpc } from '#core/rpc/json-rpc.ts';
import { getChainId } from '#core/rpc/methods.ts';
import { rawAnswersOf } from '#test/support/generators/blocks/block-bytes.ts';
import { readSmallBlocks } from '#test/support/generators/blocks/full-blocks.ts';
import { placesIn } from '#test/support/generators/blocks/json-changes.ts';
import type { Json } from '#test/support/generators/blocks/seal.ts';
import { must } from './target.ts';

/* Reads a block and a header from responses that a hostile node could send, as the ingest reads them. */

export const chainsOfFamilies = [
  ...new Map(chainNames.map((name) => [chainOf(name).rules.family, name])).values(),
];
export const fullBlocks = readSmallBlocks();

/** The bodies of the responses to any call, by whether they concern receipts. */
interface Bodies {
  readonly block: Buffer;
  readonly receipts: Buffer;
}

export const bodyOf = (result: string): Buffer => Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`);

const endpoint = endpointOf(chainOf('ETHEREUM'), 'https://node.example');

/** Answers each call with one of the bodies. */
const rpcOf =
  ({ block, receipts }: Bodies): Rpc =>
  async (method, _, decode) =>
    decodeResult(
      endpoint,
      method,
      1,
      { status: 200, header: () => undefined, body: method.endsWith('Receipts') ? receipts : block },
      decode,
      method.startsWith('debug_getRaw') ? parseHexJson : undefined,
    );

/** The declared outcomes are a value, a refusal, and an EndpointError. */
async function checkOutcome(read: Promise<{ readonly refused: string } | object>): Promise<void> {
  try {
    const outcome = await read;
    if ('refused' in outcome) must(outcome.refused.length < 2_000, 'a refusal fits a message');
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    must(error.message.length < 2_000, 'an error fits a message');
  }
}

/** A block to read, with the responses to all calls. */
export interface NodeCase extends Bodies {
  readonly chain: ChainName;
  readonly number: number;
  readonly evidence: EvidencePolicy;
}

export const readBlockOf = ({ chain, number, evidence, ...bodies }: NodeCase): Promise<void> =>
  checkOutcome(readBlockFrom({ chain: chainOf(chain), evidence }, number, rpcOf(bodies), 'node.example'));

/** Reads a block from the responses to the calls for RLP. */
export const readRawOf = ({ chain, number, ...bodies }: Omit<NodeCase, 'evidence'>): Promise<void> =>
  checkOutcome(readRaw({ chain: chainOf(chain) }, number, rpcOf(bodies)).then((read) => read ?? {}));

/** Returns the raw answers to the calls for a real block. */
export async function rawAnswersTo({ chain, block, receipts }: (typeof fullBlocks)[number]) {
  return rawAnswersOf(chainOf(chain), block, receipts as Json[]);
}

export async function readHeaderOf({ chain, number, evidence, ...bodies }: NodeCase): Promise<void> {
  const rules = { chain: chainOf(chain), evidence };
  await checkOutcome(getHeader(rpcOf(bodies), rules, number));
  await checkOutcome(getChainId(rpcOf(bodies)).then(Object));
}

/** Marks where JSON is inserted. It occurs in no block. */
const MARK = '"<here>"';

/** Returns JSON of a value with other JSON in one of its places. */
export function withJson(value: unknown, place: number, json: string): string {
  const root = { value: structuredClone(value) };
  const places = placesIn(root);
  const chosen = places[place % places.length];
  if (chosen) chosen.parent[chosen.key] = JSON.parse(MARK);
  return JSON.stringify(root.value).replace(MARK, () => json);
}
