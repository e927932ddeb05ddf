import type { ProofError } from '../encoding/proof-error.ts';

/** The form of a header's member in RLP: an integer, a byte string, or one of exactly this number of bytes. */
type Form = 'quantity' | 'data' | number;

export type HeaderField = (typeof BASE_FIELDS | typeof APPENDED_FIELDS)[number];

/** Members that every header has, in the order of its RLP. */
export const BASE_FIELDS = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'data'],
  ['mixHash', 32],
  ['nonce', 8],
] as const satisfies readonly (readonly [name: string, form: Form])[];

/** Members that forks appended, in that order: EIP-1559, 4895, 4844 (two), 4788, 7685, 7928 and 7843. */
export const APPENDED_FIELDS = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
  ['blockAccessListHash', 32],
  ['slotNumber', 'quantity'],
] as const satisfies readonly (readonly [name: string, form: Form])[];

/**
 * The answers of `eth_getBlockByNumber(n, true)` and `eth_getBlockReceipts`, with the members that proofs and figures need.
 * Every value is `0x` hex as the node sent it. Only the shape is checked here: a wrong value changes a hash, and the proof refuses it.
 */
export type RpcHeader = Readonly<
  Record<'hash' | (typeof BASE_FIELDS)[number][0], string> &
    Partial<Record<(typeof APPENDED_FIELDS)[number][0], string>>
>;

/** At 21,000 gas each, 100,000 transactions need 2.1 billion gas, several times the gas limit of any supported chain. */
export const MAX_TRANSACTIONS = 100_000;

export interface RpcBlock extends RpcHeader {
  readonly transactions: readonly RpcTransaction[];
}

/** A transaction. Its members depend on `type`, which some old legacy transactions lack. The encoder checks those that are unknown here. */
export interface RpcTransaction {
  readonly hash: string;
  readonly type?: string;
  readonly blobVersionedHashes?: readonly unknown[];
  readonly accessList?: readonly Members[];
  readonly authorizationList?: readonly Members[];
  /** OP stack deposits. */
  readonly isSystemTx?: boolean;
  /**
   * Polygon's state-sync transactions (0x7f): type byte and RLP, as `eth_getRawTransactionByBlockNumberAndIndex` answers.
   * Their JSON lacks the state-sync data that the transactionsRoot covers.
   */
  readonly raw?: string;
  readonly [member: string]: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The hash of a receipt's leaf in the trie, or the error of hashing it. A receipt that was hashed when it arrived has this instead of
 * its logs and bloom. JSON never has this key.
 */
export const LEAF = Symbol('leaf');

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** The prices in a receipt. No root covers them, but they follow from the block. In wei or gas. */
export const PRICE_MEMBERS = [
  'effectiveGasPrice',
  'blobGasUsed',
  'blobGasPrice',
  'l1Fee',
  'operatorFeeScalar',
  'operatorFeeConstant',
] as const;
type PriceMember = (typeof PRICE_MEMBERS)[number];

export interface RpcReceipt extends Readonly<Partial<Record<PriceMember, string | null>>> {
  readonly [LEAF]?: Uint8Array | ProofError;
  readonly transactionHash: string;
  readonly type?: string;
  readonly status?: string | null;
  /** The state root, which receipts had instead of a status before Byzantium. */
  readonly root?: string | null;
  readonly cumulativeGasUsed: string;
  readonly gasUsed?: string | null;
  /** Derived from the logs if a node leaves it out. */
  readonly logsBloom?: string | null;
  readonly logs: readonly Log[];
  /** OP stack deposits. */
  readonly depositNonce?: string | null;
  readonly depositReceiptVersion?: string | null;
}

/** The members of a header that decide a block's place and its checks. Those that only Arbitrum needs are not decoded. */
export interface CheckedHeader
  extends Pick<RpcHeader, 'number' | 'hash' | 'parentHash' | 'timestamp' | 'baseFeePerGas'>,
    Partial<Pick<RpcHeader, 'miner' | 'gasUsed' | 'transactionsRoot'>>,
    Readonly<Partial<Record<'difficulty' | 'extraData' | 'mixHash', unknown>>> {}

type Offer = 'gas' | 'gasPrice' | 'maxFeePerGas' | 'maxFeePerBlobGas';

/** The members of a block that are needed to check it without a proof. */
export interface CheckedBlock extends CheckedHeader {
  readonly transactions: readonly Readonly<Record<'hash', string> & Partial<Record<Offer, string>>>[];
}

/** If a receipt states one of these prices, it must be equal. Those that affect no figure are absent. */
export type StatedPrices = Readonly<Partial<Record<PriceMember, bigint>>>;

/** A receipt of such a block. In a proven block, its place and sender follow from the hashes. */
export interface CheckedReceipt
  extends Omit<RpcReceipt, 'logsBloom' | 'logs' | 'type' | 'gasUsed'>,
    Partial<Pick<RpcReceipt, 'logs'>>,
    Readonly<Record<'type' | 'gasUsed' | 'from' | 'blockHash' | 'blockNumber' | 'transactionIndex', string>> {
  readonly to?: string | null;
  /** The part of the gas that paid for L1, which nodes of Nitro state. */
  readonly gasUsedForL1?: string | null;
}
