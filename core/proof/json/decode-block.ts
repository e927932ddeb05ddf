import { hexOf, isQuantity } from '../encoding/hex.ts';
import { inElement, ProofError } from '../encoding/proof-error.ts';
import {
  APPENDED_FIELDS,
  BASE_FIELDS,
  type CheckedBlock,
  type CheckedHeader,
  type CheckedReceipt,
  LEAF,
  MAX_TRANSACTIONS,
  PRICE_MEMBERS,
  type RpcBlock,
  type RpcHeader,
  type RpcReceipt,
} from './rpc-types.ts';

/*
 * Answers are checked by hand and up to the first error. A schema library lists every error of an array, so an answer with a
 * million bad elements takes seconds and memory. Values stay as they came, but other spellings are replaced in place: numbers become hex,
 * and null becomes absent. Strings are tested for hex only if a block is checked; for a proof, the encoder reads each digit and refuses
 * what is not hex. All decoders throw ProofError naming the first member that is malformed.
 */

/** One more for Polygon's state-sync pseudo-transaction. */
const MAX_RECEIPTS = MAX_TRANSACTIONS + 1;
const MAX_GAS = MAX_TRANSACTIONS * 21_000;
const GAS = { log: 375, accessListAddress: 2_400, accessListKey: 1_900, authorization: 12_500 };
/** LOG4 is the widest. */
const MAX_TOPICS = 4;
/** Far more than any block has. */
const MAX_BLOBS = 1_000;

/** Some nodes write an absent receiver or bloom this way. */
const isEmpty = (value: unknown) => value === '' || value === '0x';
const HEADER_MEMBERS = ['hash', ...BASE_FIELDS.map(([name]) => name)];
const APPENDED_HEADER_MEMBERS = APPENDED_FIELDS.map(([name]) => name);
const OPTIONAL_RECEIPT_MEMBERS = 'type status root logsBloom depositNonce depositReceiptVersion'.split(' ');
/** No root covers these members, so their digits must be checked here. */
const DERIVED_RECEIPT_MEMBERS = ['type', 'gasUsed', ...PRICE_MEMBERS];

/** Checks the shape of a header without its transactions. */
export function decodeHeader(answer: unknown): RpcHeader {
  const header = object(answer, 'block');
  required(header, HEADER_MEMBERS);
  optional(header, APPENDED_HEADER_MEMBERS);
  return answer as RpcHeader;
}

/** Checks the shape of an answer of `eth_getBlockByNumber(n, true)`. */
export function decodeBlock(answer: unknown): RpcBlock {
  if (isAbsent(answer)) throw new ProofError('block', 'the node does not have it');
  decodeHeader(answer);
  each(object(answer, 'block').transactions, 'transactions', MAX_TRANSACTIONS, checkTransaction);
  return answer as RpcBlock;
}

/** Checks the shape of an answer of `eth_getBlockReceipts`. */
export function decodeReceipts(answer: unknown): readonly RpcReceipt[] {
  if (isAbsent(answer)) throw new ProofError('receipts', 'the node does not have them');
  each(answer, 'receipts', MAX_RECEIPTS, decodeReceipt);
  return answer as readonly RpcReceipt[];
}

const CHECKED_RECEIPT_MEMBERS =
  'transactionHash transactionIndex blockHash blockNumber type from gasUsed cumulativeGasUsed'.split(' ');
const OFFER_MEMBERS = ['gas', 'gasPrice', 'maxFeePerGas', 'maxFeePerBlobGas'];

/** Decodes a header for checks. Nodes whose blocks cannot be proven may leave out what only hashes cover. */
export function decodeCheckedHeader(answer: unknown): CheckedHeader {
  const header = object(answer, 'block');
  required(header, ['number', 'hash', 'parentHash', 'timestamp']);
  optional(header, ['gasUsed', 'baseFeePerGas']);
  quantities(header, ['number', 'timestamp', 'gasUsed', 'baseFeePerGas']);
  fixedBytes(header, ['hash', 'parentHash', 'transactionsRoot'], 32);
  fixedBytes(header, ['miner'], 20);
  return answer as CheckedHeader;
}

/** Decodes an answer of `eth_getBlockByNumber(n, true)` like `decodeCheckedHeader`. */
export function decodeCheckedBlock(answer: unknown): CheckedBlock {
  decodeCheckedHeader(answer);
  each(object(answer, 'block').transactions, 'transactions', MAX_TRANSACTIONS, (value) => {
    const transaction = object(value, '');
    required(transaction, ['hash']);
    fixedBytes(transaction, ['hash'], 32);
    optional(transaction, OFFER_MEMBERS);
    quantities(transaction, OFFER_MEMBERS);
  });
  return answer as CheckedBlock;
}

/**
 * Decodes an answer of `eth_getBlockReceipts` like `decodeCheckedHeader`.
 * @param usualType the type of receipts that state none, where there is one
 */
export function decodeCheckedReceipts(answer: unknown, usualType?: number): readonly CheckedReceipt[] {
  each(answer, 'receipts', MAX_RECEIPTS, (value) => {
    const receipt = object(value, '');
    receipt.type ??= usualType;
    required(receipt, CHECKED_RECEIPT_MEMBERS);
    if (isEmpty(receipt.to)) receipt.to = undefined;
    if (typeof receipt.status === 'boolean') receipt.status = Number(receipt.status);
    quantities(receipt, ['transactionIndex', 'blockNumber', 'cumulativeGasUsed', 'gasUsedForL1', 'status']);
    quantities(receipt, DERIVED_RECEIPT_MEMBERS);
    fixedBytes(receipt, ['transactionHash', 'blockHash'], 32);
    fixedBytes(receipt, ['from', 'to'], 20);
    eachIfPresent(receipt, 'logs', MAX_GAS / GAS.log, checkLog);
  });
  return answer as readonly CheckedReceipt[];
}

function checkTransaction(value: unknown): void {
  const transaction = object(value, '');
  required(transaction, ['hash']);
  transaction.input ??= transaction.data;
  if (isEmpty(transaction.to)) transaction.to = undefined;
  optional(transaction, ['type', 'raw']);
  quantities(transaction, ['type']);
  eachIfPresent(transaction, 'accessList', MAX_GAS / GAS.accessListAddress, checkAccess);
  eachIfPresent(transaction, 'authorizationList', MAX_GAS / GAS.authorization, (one) => object(one, ''));
  eachIfPresent(transaction, 'blobVersionedHashes', MAX_BLOBS, () => {});
  const { isSystemTx } = transaction;
  if (isAbsent(isSystemTx)) transaction.isSystemTx = undefined;
  else if (isSystemTx === '0x0' || isSystemTx === '0x1') transaction.isSystemTx = isSystemTx === '0x1';
  else if (typeof isSystemTx !== 'boolean') throw new ProofError('isSystemTx', 'it is not true or false');
}

/** Checks each element of an array that a node may leave out. Null becomes absent. */
function eachIfPresent(members: Members, name: string, max: number, check: (element: unknown) => void) {
  if (isAbsent(members[name])) members[name] = undefined;
  else each(members[name], name, max, check);
}

function checkAccess(value: unknown): void {
  const access = object(value, '');
  // Erigon gave null for no keys, https://github.com/erigontech/erigon/issues/2162.
  access.storageKeys ??= [];
  elements(access.storageKeys, 'storageKeys', MAX_GAS / GAS.accessListKey);
}

/** Checks the shape of one receipt of such an answer. */
export function decodeReceipt(value: unknown): RpcReceipt {
  const receipt = object(value, '');
  required(receipt, ['transactionHash', 'cumulativeGasUsed']);
  const { blobGasPrice } = receipt;
  if (receipt.logs === null) receipt.logs = [];
  // The bloom follows from the logs.
  if (isEmpty(receipt.logsBloom)) receipt.logsBloom = undefined;
  if (typeof receipt.status === 'boolean') receipt.status = Number(receipt.status);
  // Erigon 2.60 gives it without 0x, https://github.com/base/node/issues/266. The price is derived.
  if (typeof blobGasPrice === 'string' && !blobGasPrice.startsWith('0x')) receipt.blobGasPrice = undefined;
  optional(receipt, OPTIONAL_RECEIPT_MEMBERS);
  // Null stays null: before Bedrock it means that no L1 fee was charged, or that the node has lost it.
  quantities(receipt, DERIVED_RECEIPT_MEMBERS);
  if (!(LEAF in receipt)) each(receipt.logs, 'logs', MAX_GAS / GAS.log, checkLog);
  return value as RpcReceipt;
}

function checkLog(value: unknown): void {
  const log = object(value, '');
  required(log, ['address', 'data']);
  const topics = elements(log.topics, 'topics', MAX_TOPICS);
  const index = topics.findIndex((topic) => typeof topic !== 'string');
  if (index >= 0) throw new ProofError(`topics[${index}]`, 'it is not a string');
}

type Members = Record<string, unknown>;

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** @throws ProofError when a value is not an object */
function object(value: unknown, field: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw new ProofError(field, 'it is not an object');
}

/** @throws ProofError when a value is not an array, or longer than `max` */
function elements(value: unknown, field: string, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProofError(field, 'it is not an array');
  if (value.length <= max) return value;
  throw new ProofError(field, `${value.length} elements are more than a block can hold`);
}

/** Checks each element of an array, up to the first error. */
function each(value: unknown, field: string, max: number, check: (element: unknown) => void): void {
  const list = elements(value, field, max);
  for (let index = 0; index < list.length; index++) inElement(field, index, () => check(list[index]));
}

/** Checks that members are strings, and converts numbers to hex in place. */
function required(members: Members, names: readonly string[]): void {
  for (const name of names) {
    if (typeof members[name] !== 'string') members[name] = hexOf(members[name], name);
  }
}

/** Checks the members that are present like `required`, and replaces null by undefined in place. */
function optional(members: Members, names: readonly string[]): void {
  for (const name of names) {
    const value = members[name];
    if (value === undefined || typeof value === 'string') continue;
    members[name] = value === null ? undefined : hexOf(value, name);
  }
}

const BYTES = /^0x[0-9a-f]*$/i;

/** Like `optional`, for quantities; keeps null. */
function quantities(members: Members, names: readonly string[]): void {
  for (const name of names) {
    const value = members[name];
    if (isAbsent(value)) continue;
    if (typeof value !== 'string') members[name] = hexOf(value, name);
    else if (!isQuantity(value)) throw new ProofError(name, 'it is not a hex quantity');
  }
}

/** Like `optional`, for hex of this number of bytes, which becomes lower-case in place. */
function fixedBytes(members: Members, names: readonly string[], bytes: number): void {
  optional(members, names);
  for (const name of names) {
    const value = members[name];
    if (typeof value !== 'string') continue;
    if (value.length !== 2 + 2 * bytes || !BYTES.test(value)) {
      throw new ProofError(name, `it is not hex of ${bytes} bytes`);
    }
    members[name] = value.toLowerCase();
  }
}
