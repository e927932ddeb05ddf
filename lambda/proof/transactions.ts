import type { Chain } from '../chains/chains.ts';
import {
  isKnownType,
  OP_POST_EXECUTION,
  POLYGON_STATE_SYNC,
  unknownTypeProblem,
} from '../chains/transaction-types.ts';
import { data, type Field, writeList } from './field.ts';
import { isSameHex, toHex } from './hex.ts';
import { keccak256 } from './keccak.ts';
import { RlpWriter } from './rlp.ts';
import { TRANSACTION_FIELDS } from './transaction-fields.ts';
import { trieRoot } from './trie-root.ts';
import { inElement, ProofError, type RpcTransaction } from './types.ts';

/** A transaction that hashes to its hash. */
export interface HashedTransaction {
  readonly hash: string;
  readonly type: number;
  /** Type byte and RLP, which the hash and the transactionsRoot cover. Valid until the next block is proven. */
  readonly payload: Uint8Array;
}

const writer = new RlpWriter();

/**
 * Checks that transactions hash to their hashes, and all of them to the transactionsRoot.
 * @throws ProofError naming the transaction or the root
 */
export function proveTransactions(
  chain: Chain,
  transactions: readonly RpcTransaction[],
  transactionsRoot: string,
): readonly HashedTransaction[] {
  writer.truncate(0);
  // Not sliced yet, since the buffer may still grow.
  const written = transactions.map((transaction, index) => {
    const type = typeOf(chain, transaction, index);
    const begin = writer.size();
    const hash = proveHash(transaction, type, index);
    return { hash, type, begin, end: writer.size() };
  });
  const hashed = written.map(({ hash, type, begin, end }) => {
    return { hash, type, payload: writer.between(begin, end) };
  });
  const root = toHex(trieRoot(hashed.map(({ payload }) => payload)));
  if (isSameHex(root, transactionsRoot)) return hashed;
  throw new ProofError(
    'transactionsRoot',
    `${transactions.length} transactions hash to ${root}, not to ${transactionsRoot}`,
  );
}

/** Nodes leave the type out of some old legacy transactions. */
function typeOf({ rules }: Chain, { type: given }: RpcTransaction, index: number): number {
  const type = given === undefined ? 0 : Number(given);
  if (isKnownType(rules, type)) return type;
  throw new ProofError(`transactions[${index}].type`, unknownTypeProblem(type));
}

/** Writes the payload of a transaction, and returns its hash. */
function proveHash(transaction: RpcTransaction, type: number, index: number): string {
  const begin = writer.size();
  inElement('transactions', index, () => writePayload(transaction, type));
  const hash = toHex(keccak256(writer.since(begin)));
  if (isSameHex(hash, transaction.hash)) return hash;
  if (type === OP_POST_EXECUTION) return provePostExecutionHash(transaction, index);
  throw wrongHash(transaction, hash, index);
}

function writePayload(transaction: RpcTransaction, type: number): void {
  if (type === POLYGON_STATE_SYNC) {
    writer.rawData(transaction.raw, 'raw');
    return;
  }
  // https://github.com/ethereum-optimism/specs specs/protocol/lagoon/post-exec.md: no RLP around the data.
  if (type === OP_POST_EXECUTION) writer.rawData(transaction.input, 'input');
  else writeList(writer, fieldsOf(type), transaction);
  if (type > 0) writer.rawByte(type);
}

function fieldsOf(type: number): readonly Field<RpcTransaction>[] {
  const fields = TRANSACTION_FIELDS.get(type);
  if (fields) return fields;
  throw new ProofError('type', `transactions of type 0x${type.toString(16)} do not hash to their hash`);
}

/** op-geth hashes a post-execution transaction with RLP around its data, unlike the root and op-reth. */
function provePostExecutionHash(transaction: RpcTransaction, index: number): string {
  const mark = writer.size();
  writeList(writer, [data<RpcTransaction>('input')], transaction);
  writer.rawByte(OP_POST_EXECUTION);
  const hash = toHex(keccak256(writer.since(mark)));
  writer.truncate(mark);
  if (isSameHex(hash, transaction.hash)) return hash;
  throw wrongHash(transaction, hash, index);
}

const wrongHash = ({ hash: given }: RpcTransaction, hash: string, index: number): ProofError =>
  new ProofError(`transactions[${index}].hash`, `the transaction does not hash to ${given}, but to ${hash}`);
