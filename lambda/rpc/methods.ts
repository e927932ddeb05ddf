import type { BlockHeader } from '../chains/block.ts';
import type { Chain } from '../chains/chains.ts';
import type { EvidencePolicy } from '../chains/evidence.ts';
import { unprovenOf } from '../chains/provable.ts';
import { decodeHeader } from '../proof/decode-block.ts';
import { proveHeader } from '../proof/header.ts';
import { loadKeccak } from '../proof/keccak.ts';
import { ProofError } from '../proof/types.ts';
import { DecodeError, header, quantity } from './decode.ts';
import type { Rpc } from './json-rpc.ts';
import type { Attempt } from './retry.ts';

const hexOf = (number: number) => `0x${number.toString(16)}`;

/** Reads the chain ID: EIP-155. */
export const getChainId = (rpc: Rpc): Promise<bigint> => rpc('eth_chainId', [], quantity);

/** Reads a block with its transactions, not decoded. */
export const getBlock = (rpc: Rpc, number: number): Promise<unknown> =>
  rpc('eth_getBlockByNumber', [hexOf(number), true], present('block'));

/** Reads all receipts of a block, in the order of its transactions, not decoded. */
export const getReceipts = (rpc: Rpc, number: number): Promise<unknown> =>
  rpc('eth_getBlockReceipts', [hexOf(number)], present('receipts of the block'));

/** Reads a header with the hashes of its transactions, not decoded. */
export const getRawHeader = (rpc: Rpc, at: number | 'finalized' | 'latest'): Promise<unknown> =>
  rpc('eth_getBlockByNumber', [typeof at === 'number' ? hexOf(at) : at, false], present('block'));

/** Calls a contract with the state after a block. Returns hex. */
export const callContract = (
  rpc: Rpc,
  contract: { readonly to: string; readonly data: string },
  block: number,
): Promise<string> =>
  rpc('eth_call', [contract, hexOf(block)], (value) => {
    if (typeof value === 'string') return value;
    throw new DecodeError('expected hex');
  });

/**
 * Reads the header of a block. Where the chain's blocks are proven, it must hash to its hash.
 * @param at a number; `finalized`, the newest block that consensus can no longer revert; or `latest`
 */
export async function getHeader(
  rpc: Rpc,
  { chain, evidence }: { readonly chain: Chain; readonly evidence: EvidencePolicy },
  at: number | 'finalized' | 'latest',
): Promise<Attempt<BlockHeader>> {
  await loadKeccak();
  const answer = await getRawHeader(rpc, at);
  try {
    const decoded = header(answer);
    if (typeof at === 'number' && decoded.number !== at) {
      return { refused: `${chain.name} block ${at}: the node answered with block ${decoded.number}` };
    }
    if (evidence === 'proven' && unprovenOf(chain.rules, decoded.number)?.what !== 'everything')
      proveHeader(decodeHeader(answer));
    return { value: decoded };
  } catch (error) {
    const block = `${chain.name} block ${at}`;
    if (error instanceof DecodeError)
      return { refused: `${block}: ${error.message}`, fault: 'invalid response' };
    if (!(error instanceof ProofError)) throw error;
    return { refused: `${block}: ${error.field}: ${error.message}`, fault: 'not proven' };
  }
}

const present =
  (what: string) =>
  (value: unknown): unknown => {
    if (value !== null && value !== undefined) return value;
    throw new DecodeError(`the node does not have the ${what}`);
  };
