import type { Chain } from '../../chains/chains.ts';
import { OP_POST_EXECUTION, POLYGON_STATE_SYNC } from '../../chains/transaction-types.ts';
import { isSameHex, shown, toHex } from '../encoding/hex.ts';
import { hashTogether, keccak256 } from '../encoding/keccak.ts';
import { HASH } from '../encoding/keccak-kernel.ts';
import { ProofError } from '../encoding/proof-error.ts';
import { data, RlpWriter, writeEach, writeList } from '../encoding/rlp.ts';
import { proveRoot } from '../encoding/trie-root.ts';
import type { RpcTransaction } from '../json/rpc-types.ts';
import { checkType } from './read-transactions.ts';
import { fieldsOf } from './transaction-fields.ts';

/** A transaction with the hash that follows from its fields. */
export interface HashedTransaction {
  readonly hash: string;
  readonly type: number;
  /** Type byte and RLP, which the hash and the transactionsRoot cover. Valid until the next block is hashed. */
  readonly payload: Uint8Array;
}

const writer = new RlpWriter();

/** Computes the hashes and payloads of a block's transactions. @throws ProofError naming a field that is missing or malformed */
export function hashTransactions(
  { rules }: Chain,
  transactions: readonly RpcTransaction[],
): readonly HashedTransaction[] {
  // Nodes leave the type out of some old legacy transactions.
  const types = transactions.map(({ type }) => Number(type ?? 0));
  const payloads = writeEach(writer, 'transactions', transactions, (transaction, index) => {
    checkType(rules, types[index] as number);
    writePayload(transaction, types[index] as number);
  });
  const hashes = hashTogether((add) => {
    for (const payload of payloads) add(payload);
  });
  return payloads.map((payload, index) => ({
    hash: toHex(hashes.subarray(index * HASH, (index + 1) * HASH)),
    type: types[index] as number,
    payload,
  }));
}

/** Checks that transactions hash to their hashes, and all of them to the transactionsRoot. @throws ProofError naming either */
export function proveTransactions(
  chain: Chain,
  transactions: readonly RpcTransaction[],
  given: string,
): readonly HashedTransaction[] {
  const hashed = hashTransactions(chain, transactions).map((transaction, index) =>
    proveHash(transactions[index] as RpcTransaction, transaction, index),
  );
  const payloads = hashed.map(({ payload }) => payload);
  proveRoot('transactions', payloads, given);
  return hashed;
}

/** Checks that the hash that the node gave follows from the fields. */
function proveHash(transaction: RpcTransaction, hashed: HashedTransaction, index: number): HashedTransaction {
  // Clients differ in how they hash a state-sync. The root covers its bytes, and no figure depends on the hash.
  if (hashed.type === POLYGON_STATE_SYNC || isSameHex(hashed.hash, transaction.hash)) return hashed;
  const other = hashed.type === OP_POST_EXECUTION ? postExecutionHash(transaction) : undefined;
  if (other !== undefined && isSameHex(other, transaction.hash)) return { ...hashed, hash: other };
  throw new ProofError(
    `transactions[${index}].hash`,
    `the transaction does not hash to ${shown(transaction.hash)}, but to ${hashed.hash}`,
  );
}

function writePayload(transaction: RpcTransaction, type: number): void {
  if (type === POLYGON_STATE_SYNC) {
    writeRawStateSync(transaction);
    return;
  }
  // https://github.com/ethereum-optimism/specs specs/protocol/lagoon/post-exec.md: no RLP around the data.
  if (type === OP_POST_EXECUTION) writer.rawData(transaction.input, 'input');
  else writeList(writer, fieldsOf(type), transaction);
  if (type > 0) writer.rawByte(type);
}

/** The type byte is part of `raw`, so no other transaction can pass for a state-sync, which pays nothing. */
function writeRawStateSync({ raw }: RpcTransaction): void {
  if (raw === undefined) {
    throw new ProofError(
      'raw',
      'the endpoint gives no raw bytes of this state-sync transaction, which need eth_getRawTransactionByBlockNumberAndIndex',
    );
  }
  if (!/^0x7f/i.test(raw)) throw new ProofError('raw', `${shown(raw)} is not a state-sync transaction`);
  writer.rawData(raw, 'raw');
}

/** op-geth hashes a post-execution transaction with RLP around its data, unlike the root and op-reth. */
function postExecutionHash(transaction: RpcTransaction): string {
  const mark = writer.size();
  writeList(writer, [data('input')], transaction);
  writer.rawByte(OP_POST_EXECUTION);
  const hash = toHex(keccak256(writer.since(mark)));
  writer.truncate(mark);
  return hash;
}
