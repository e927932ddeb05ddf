import { unprovenOf } from '../chains/provable.ts';
import type { Rules } from '../chains/rule-types.ts';
import type { BlockHeader } from '../figures/block.ts';
import { policyAt } from '../figures/day-figures.ts';
import { ProofError } from '../proof/encoding/proof-error.ts';
import { proveHeader } from '../proof/header.ts';
import { decodeCheckedHeader, decodeHeader } from '../proof/json/decode-block.ts';
import type { RpcHeader } from '../proof/json/rpc-types.ts';
import { linkOf, placeOf } from '../proof/proven-block.ts';
import type { FaultKind } from '../rpc/endpoint.ts';
import { type Attempt, type Fetched, requestWithFailover } from '../rpc/failover.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { type BlockTag, getBlockHeader, getBlockHeaderByHash } from '../rpc/methods.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { type Network, upstreamsFor } from './network.ts';

/** The rules that decide whether a header is proven. */
export type HeaderRules = Pick<Network, 'chain' | 'evidence'>;

/** Returns whether the hash of a block covers its header: it then fixes its parent and time. */
export const isHashed = ({ chain, evidence }: HeaderRules, number: number): boolean =>
  policyAt(evidence, number) === 'proven' && unprovenOf(chain.rules, number)?.what !== 'everything';

/** Reads the header of a block. Where the chain's blocks are proven, it must hash to its hash. */
export const getHeader = async (rpc: Rpc, rules: HeaderRules, at: BlockTag): Promise<Attempt<BlockHeader>> =>
  validateHeader(rules, at, await getBlockHeader(rpc, at));

/** Decodes a header, and computes its hash from its fields. @throws ProofError when it states another hash, or does not decode */
export function hashedHeader(answer: unknown, rules?: Rules): RpcHeader {
  const header = decodeHeader(answer);
  return { ...header, hash: proveHeader(header, rules) };
}

/** Decodes a header, and proves it where the chain's blocks are proven. */
export async function validateHeader(
  rules: HeaderRules,
  at: BlockTag,
  answer: unknown,
): Promise<Attempt<BlockHeader>> {
  const { chain } = rules;
  let fault: FaultKind = 'invalid response';
  let block = at;
  try {
    const header = decodeCheckedHeader(answer);
    const value = placeOf(header);
    block = value.number;
    if (typeof at === 'number' && value.number !== at) {
      return { refused: `${chain.name} block ${at}: the node answered with block ${value.number}` };
    }
    if (!isHashed(rules, value.number)) return { value };
    fault = 'not proven';
    return { value: linkOf(hashedHeader(answer, chain.rules)) };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { refused: `${chain.name} block ${block}: ${error.field}: ${error.message}`, fault };
  }
}

/** Reads the header of a block by its hash, to which it must hash whatever the policy. */
export const readHeaderByHash = (network: Network, hash: string): Promise<Fetched<BlockHeader>> => {
  const what = `${network.chain.name} block ${hash}`;
  return requestWithFailover(network.context, upstreamsFor(network), what, async (rpc) => {
    const rules = { chain: network.chain, evidence: 'proven' } as const;
    const header = await validateHeader(rules, 'latest', await getBlockHeaderByHash(rpc, hash));
    if ('refused' in header || header.value.hash === hash) return header;
    return { refused: `${what}: the node answered with ${header.value.hash}` };
  });
};

/** Reads a header alone. @param hash that it must have, if it is known */
export function readHeader(
  network: Network,
  number: number,
  upstreams: readonly Upstream[],
  hash?: string,
): Promise<Fetched<BlockHeader>> {
  const what = `${network.chain.name} block ${number}`;
  return requestWithFailover(network.context, upstreams, what, async (rpc) => {
    const header = await getHeader(rpc, network, number);
    if ('refused' in header || hash === undefined || header.value.hash === hash) return header;
    return { refused: `${what}: it is ${header.value.hash}, not ${hash}` };
  });
}
