import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { addressOf, hashOf } from './builders.ts';
import type { Random } from './random.ts';
import type { BlockPlace, RandomTransaction } from './random-transactions.ts';
import type { RawBlock } from './sample-chain.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A block as a node returns it, with hex strings. The header lists hashes; `transactions` are their objects. */
export interface RandomBlock extends RawBlock {
  readonly header: RawHeader;
  readonly transactions: readonly Json[];
  /**
   * Polygon's synthetic receipt, if the block has one: nodes list it or not. The body lists its transaction if the last hash is
   * that of this receipt.
   */
  readonly stateSync?: Json;
}

export type RawHeader = RawBlock['header'] & { readonly parentHash: string; readonly timestamp: string };

/** A transaction at its position in a body. */
export type Placed = RandomTransaction & { readonly hash: string };

export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** keccak256(rlp('')), the `transactionsRoot` of an empty block. */
export const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const NO_BLOOM = `0x${'0'.repeat(512)}`;

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

/** @param transactions those of the body, without Polygon's synthetic one */
export function blockOf(
  random: Random,
  place: BlockPlace,
  ids: { readonly hash: string; readonly parentHash: string },
  transactions: readonly Placed[],
): RandomBlock {
  const { number, timestamp, miner } = place;
  const receipts = receiptsOf(random, place, ids.hash, transactions);
  const header = {
    number: hex(number),
    ...ids,
    timestamp: hex(timestamp),
    miner,
    transactions: transactions.map(({ hash }) => hash),
    // A fake root is as good as a real one, except for that of an empty block.
    transactionsRoot: transactions.length === 0 ? EMPTY_ROOT : hashOf(`transactions ${ids.hash}`),
    receiptsRoot: hashOf(`receipts ${ids.hash}`),
    stateRoot: hashOf(`state ${ids.hash}`),
    gasUsed: hex(sumOf(transactions)),
    gasLimit: hex(120_000_000),
    baseFeePerGas: hex(7),
    logsBloom: NO_BLOOM,
    extraData: '0x',
    nonce: '0x0000000000000000',
    uncles: [],
  };
  return {
    header,
    receipts,
    transactions: transactions.map((one, index) => objectOf(ids.hash, place, one, index)),
  };
}

const sumOf = (transactions: readonly Placed[]) =>
  transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);

function receiptsOf(
  random: Random,
  place: BlockPlace,
  blockHash: string,
  transactions: readonly Placed[],
): Json[] {
  return transactions.map((transaction, index) => ({
    ...placeOf(blockHash, place, transaction.hash, index),
    type: hex(transaction.type),
    from: transaction.from,
    to: transaction.to,
    contractAddress: transaction.to === null ? addressOf(transaction.hash) : null,
    gasUsed: hex(transaction.gasUsed),
    cumulativeGasUsed: hex(sumOf(transactions.slice(0, index + 1))),
    ...(transaction.isPriceInReceipt && { effectiveGasPrice: hex(transaction.price) }),
    ...Object.fromEntries(
      Object.entries(transaction.fields).map(([field, value]) => [field, value === null ? null : hex(value)]),
    ),
    ...(place.isOld
      ? { root: hashOf(`state after ${transaction.hash}`) }
      : { status: hex(Number(transaction.succeeded)) }),
    logs: transaction.succeeded ? logsOf(random, transaction.hash) : [],
    logsBloom: NO_BLOOM,
  }));
}

const placeOf = (blockHash: string, { number }: BlockPlace, transactionHash: string, index: number) => ({
  transactionHash,
  transactionIndex: hex(index),
  blockHash,
  blockNumber: hex(number),
});

function logsOf(random: Random, transactionHash: string): Json[] {
  return Array.from({ length: random.below(3) }, (_, index) => ({
    address: addressOf(`${transactionHash} ${index}`),
    topics: [hashOf(`${transactionHash} ${index}`)],
    data: '0x',
    logIndex: hex(index),
  }));
}

const objectOf = (blockHash: string, { number }: BlockPlace, transaction: Placed, index: number): Json => ({
  hash: transaction.hash,
  transactionIndex: hex(index),
  blockHash,
  blockNumber: hex(number),
  type: hex(transaction.type),
  from: transaction.from,
  to: transaction.to,
  gas: hex(transaction.gasUsed * 2n),
  gasPrice: hex(transaction.gasPrice),
  nonce: hex(index),
  value: hex(10n ** 18n),
  input: '0x',
});

/** The same block with Polygon's synthetic state-sync transaction, listed in body and receipts, in one of them, or in neither. */
export function withStateSync(random: Random, place: BlockPlace, block: RandomBlock): RandomBlock {
  const { header, receipts, transactions } = block;
  const index = receipts.length;
  const hash = stateSyncHash(place.number, header.hash);
  const stateSync = {
    ...placeOf(header.hash, place, hash, index),
    type: '0x0',
    from: ZERO_ADDRESS,
    to: ZERO_ADDRESS,
    contractAddress: null,
    gasUsed: '0x0',
    cumulativeGasUsed: random.chance(0.5) ? '0x0' : (receipts.at(-1)?.cumulativeGasUsed ?? '0x0'),
    ...(random.chance(0.5) && { effectiveGasPrice: '0x0' }),
    status: '0x1',
    logs: logsOf(random, hash),
    logsBloom: NO_BLOOM,
  };
  const { type, from, to } = stateSync;
  const object = {
    hash,
    blockHash: header.hash,
    blockNumber: header.number,
    type,
    from,
    to,
    gas: '0x0',
    gasPrice: '0x0',
  };
  const isListed = random.chance(0.5);
  return {
    header: isListed ? { ...header, transactions: [...header.transactions, hash] } : header,
    receipts: random.chance(0.5) ? [...receipts, stateSync] : receipts,
    transactions: isListed ? [...transactions, object] : transactions,
    stateSync,
  };
}

export const isInBody = ({ header, stateSync }: RandomBlock): boolean =>
  stateSync !== undefined && header.transactions.at(-1) === stateSync.transactionHash;

/** keccak256("matic-bor-receipt-" ‖ number, 8 bytes big-endian ‖ block hash) */
function stateSyncHash(number: number, blockHash: string): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  const key = Buffer.concat([
    Buffer.from('matic-bor-receipt-'),
    bytes,
    Buffer.from(blockHash.slice(2), 'hex'),
  ]);
  return `0x${bytesToHex(keccak_256(key))}`;
}
