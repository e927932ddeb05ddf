import { bytes, DecodeError, decodeQuantity, list } from './http/decode.ts';
import type { PrepareElements, Rpc } from './json-rpc.ts';

/** A block by its number, the newest block that consensus cannot revert any more, or the latest block. */
export type BlockTag = number | 'finalized' | 'latest';

const hexOf = (at: BlockTag): string => (typeof at === 'number' ? `0x${at.toString(16)}` : at);

export const getChainId = (rpc: Rpc): Promise<bigint> => rpc('eth_chainId', [], decodeQuantity);

export const getBlock = (rpc: Rpc, number: number): Promise<unknown> =>
  rpc('eth_getBlockByNumber', [hexOf(number), true], raw);

/** Reads all receipts of a block, in the order of its transactions, not decoded. */
export const getReceipts = (rpc: Rpc, number: number, prepare?: PrepareElements): Promise<unknown> =>
  rpc('eth_getBlockReceipts', [hexOf(number)], raw, prepare);

export const getReceipt = (rpc: Rpc, hash: string): Promise<unknown> =>
  rpc('eth_getTransactionReceipt', [hash], raw);

/**
 * Reads a block as RLP: a list of its header, transactions, uncles and, since Shanghai, withdrawals.
 * https://ethereum.github.io/execution-apis/api-documentation/
 */
export const getBlockBytes = (rpc: Rpc, number: number): Promise<Uint8Array> =>
  rpc('debug_getRawBlock', [hexOf(number)], bytes);

/** Far more than any block has. */
const MAX_RECEIPTS = 100_000;

/** Reads all receipts of a block, each as its receiptsRoot commits to it: type byte and RLP. */
export const getReceiptBytes = (rpc: Rpc, number: number): Promise<readonly Uint8Array[]> =>
  rpc('debug_getRawReceipts', [hexOf(number)], list(bytes, MAX_RECEIPTS));

/** Reads the bytes of a transaction: type and RLP, as hex. */
export const getRawTransaction = (rpc: Rpc, number: number, index: number): Promise<string> =>
  rpc('eth_getRawTransactionByBlockNumberAndIndex', [hexOf(number), hexOf(index)], text);

/** Reads which forks a node has scheduled, not decoded: EIP-7910. */
export const getConfig = (rpc: Rpc): Promise<unknown> => rpc('eth_config', [], raw);

/** Reads a header with the hashes of its transactions, not decoded. */
export const getBlockHeader = (rpc: Rpc, at: BlockTag): Promise<unknown> =>
  rpc('eth_getBlockByNumber', [hexOf(at), false], raw);

/** Reads a header like `getBlockHeader`, or null if the endpoint does not have the block yet. */
export const findBlockHeader = (rpc: Rpc, at: BlockTag): Promise<unknown> =>
  rpc('eth_getBlockByNumber', [hexOf(at), false], (value) => value);

/** Reads the header of a block with a known hash, not decoded. */
export const getBlockHeaderByHash = (rpc: Rpc, hash: string): Promise<unknown> =>
  rpc('eth_getBlockByHash', [hash, false], raw);

/** Calls a contract with the state after a block. Returns hex. */
export const callContract = (
  rpc: Rpc,
  contract: Readonly<Record<'to' | 'data', string>>,
  at: BlockTag,
): Promise<string> => rpc('eth_call', [contract, hexOf(at)], text);

const text = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new DecodeError('expected hex');
};

/** Returns a result as the node sent it, because the proof decodes it. */
const raw = (value: unknown): unknown => {
  if (value !== null) return value;
  throw new DecodeError('null');
};

const MAX_PROOF_NODES = 100;

/** Reads the proof of a slot of a contract's storage after a block, without verifying it: EIP-1186. */
export const getStorageProof = (
  rpc: Rpc,
  address: string,
  slot: bigint,
  number: number,
): Promise<{ accountProof: readonly string[]; storageProof: readonly string[] }> =>
  rpc('eth_getProof', [address, [`0x${slot.toString(16).padStart(64, '0')}`], hexOf(number)], (value) => {
    const { accountProof, storageProof } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const nodes = list(text, MAX_PROOF_NODES);
    const [first] = list((one: unknown) => one, 1)(storageProof);
    const { proof } = (first ?? {}) as Readonly<Record<string, unknown>>;
    return { accountProof: nodes(accountProof), storageProof: nodes(proof) };
  });
