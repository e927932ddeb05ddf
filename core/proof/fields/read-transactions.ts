import type { Chain } from '../../chains/chains.ts';
import { dependsOnReceiver } from '../../chains/protocol-transactions.ts';
import type { Rules } from '../../chains/rule-types.ts';
import {
  isKnownType,
  OP_POST_EXECUTION,
  POLYGON_STATE_SYNC,
  unknownTypeProblem,
} from '../../chains/transaction-types.ts';
import { inElement, ProofError, unknownRule } from '../encoding/proof-error.ts';
import { type Field, SHORT_LIST } from '../encoding/rlp.ts';
import { createListReader, type RlpReader } from '../encoding/rlp-reader.ts';
import type { RpcTransaction } from '../json/rpc-types.ts';
import * as fields from './transaction-fields.ts';

/** The members of a transaction that decide its fees, in gas or in wei per gas. Absent if its type lacks them. */
export interface Transaction {
  readonly type: number;
  /** Type byte and RLP, as the transactionsRoot covers them, or the RLP alone of a legacy transaction. */
  readonly payload: Uint8Array;
  /** In lower case; only on chains where a rule depends on it. */
  to?: string | undefined;
  /** The sender, in lower case, and the data of a deposit of the OP stack. */
  from?: string;
  input?: string;
  /** The limit. */
  gas?: bigint;
  /** The most that it offers: `gasPrice` or `maxFeePerGas`. */
  feeCap?: bigint;
  tip?: bigint;
  blobFeeCap?: bigint;
  blobs?: number;
}

/** The members of these types affect no price. */
const WITHOUT_MEMBERS: ReadonlySet<number> = new Set([OP_POST_EXECUTION, POLYGON_STATE_SYNC]);

/** Returns the type of a transaction or receipt. A payload without a type is a list, whose first byte is higher than types (EIP-2718). */
export function typeOfPayload(payload: Uint8Array): number {
  const first = payload[0] ?? SHORT_LIST;
  return first >= SHORT_LIST ? 0 : first;
}

/** @throws ProofError when no fee rule covers a type */
export function checkType(rules: Rules, type: number): void {
  if (!isKnownType(rules, type)) throw unknownRule('type', unknownTypeProblem(type));
}

/** Reads the transactions of a block, without their hashes, which no figure depends on. @throws ProofError naming the transaction */
export const readTransactions = ({ rules }: Chain, payloads: readonly Uint8Array[]): readonly Transaction[] =>
  payloads.map((payload, index) => inElement('transactions', index, () => readTransaction(rules, payload)));

function readTransaction(rules: Rules, payload: Uint8Array): Transaction {
  const type = typeOfPayload(payload);
  checkType(rules, type);
  const transaction: Transaction = { type, payload };
  if (WITHOUT_MEMBERS.has(type)) return transaction;
  const items = createListReader(payload, '', type === 0 ? 0 : 1);
  for (const field of fields.fieldsOf(type)) readMember(field, items, transaction, rules);
  if (items.isAtEnd()) return transaction;
  throw new ProofError('', `it has more members than those of type ${type}`);
}

/** Reads the next member if a price depends on it. */
function readMember(field: Field<RpcTransaction>, items: RlpReader, into: Transaction, rules: Rules): void {
  if (field === fields.gas) into.gas = items.integer('gas');
  else if (field === fields.gasPrice) into.feeCap = items.integer('gasPrice');
  else if (field === fields.maxFeePerGas || field === fields.arbitrumOffer)
    into.feeCap = items.integer('maxFeePerGas');
  else if (field === fields.maxPriorityFeePerGas) into.tip = items.integer('maxPriorityFeePerGas');
  else if (field === fields.maxFeePerBlobGas) into.blobFeeCap = items.integer('maxFeePerBlobGas');
  else if (field === fields.blobVersionedHashes) into.blobs = countHashes(items.list('blobVersionedHashes'));
  else if (field === fields.to && dependsOnReceiver(rules)) into.to = readReceiver(items);
  else if (field === fields.depositor) into.from = items.fixed(20, 'from');
  else if (field === fields.depositInput) into.input = items.data('input');
  else items.skip('transaction');
}

function countHashes(hashes: RlpReader): number {
  let count = 0;
  for (; !hashes.isAtEnd(); count++) hashes.fixedAt(32, 'blobVersionedHashes');
  return count;
}

/** Returns undefined when the transaction creates a contract. */
function readReceiver(items: RlpReader): string | undefined {
  const address = items.data('to');
  if (address === '0x') return undefined;
  if (address.length === 2 + 2 * 20) return address;
  throw new ProofError('to', `${address} is not 20 bytes`);
}
