import type { Chain } from '../../chains/chains.ts';
import { dependsOnReceiver } from '../../chains/protocol-transactions.ts';
import type { Rules } from '../../chains/rule-types.ts';
import {
  isKnownType,
  OP_DEPOSIT,
  OP_POST_EXECUTION,
  POLYGON_STATE_SYNC,
  unknownTypeProblem,
} from '../../chains/transaction-types.ts';
import { inElement, ProofError, unknownRule } from '../encoding/proof-error.ts';
import { createListReader, type RlpReader } from '../encoding/rlp-reader.ts';
import {
  ARBITRUM_FIELDS,
  gas as arbitrumGas,
  maxFeePerGas as arbitrumOffer,
} from '../fields/arbitrum-transaction-fields.ts';
import type { PricedMembers } from '../json/rpc-types.ts';

type Members = { -readonly [Name in keyof PricedMembers]: PricedMembers[Name] };
type ReadMember = (items: RlpReader, into: Members, rules: Rules) => void;

const skip: ReadMember = (items) => items.skip('transaction');
const quantity =
  (name: 'gas' | 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'maxFeePerBlobGas'): ReadMember =>
  (items, into) => {
    into[name] = items.integer(name);
  };
const to: ReadMember = (items, into, rules) => {
  if (!dependsOnReceiver(rules)) {
    items.skip('to');
    return;
  }
  const address = items.data('to');
  if (address === '0x') return;
  if (address.length !== 2 + 2 * 20) throw new ProofError('to', `${address} is not 20 bytes`);
  into.to = address;
};
const blobVersionedHashes: ReadMember = (items, into) => {
  const hashes = items.list('blobVersionedHashes');
  const read: string[] = [];
  while (!hashes.isAtEnd()) read.push(hashes.fixed(32, 'blobVersionedHashes'));
  into.blobVersionedHashes = read;
};

const from: ReadMember = (items, into) => {
  into.from = items.fixed(20, 'from');
};
const input: ReadMember = (items, into) => {
  into.input = items.data('input');
};

const signature = [skip, skip, skip];
const gas = quantity('gas');
const gasPrice = quantity('gasPrice');
const maxFeePerGas = quantity('maxFeePerGas');
const dynamicFee = [
  ...[skip, skip, quantity('maxPriorityFeePerGas'), maxFeePerGas],
  ...[gas, to, skip, skip, skip],
];

const memberOfArbitrum = (field: (typeof ARBITRUM_FIELDS)[number][1][number]): ReadMember =>
  field === arbitrumGas ? gas : field === arbitrumOffer ? maxFeePerGas : skip;

/** The members of each type in the order of `TRANSACTION_FIELDS`. Members that affect no price are skipped. */
const READ_MEMBERS: ReadonlyMap<number, readonly ReadMember[]> = new Map([
  [0x00, [skip, gasPrice, gas, to, skip, skip, ...signature]],
  [0x01, [skip, skip, gasPrice, gas, to, skip, skip, skip, ...signature]],
  [0x02, [...dynamicFee, ...signature]],
  [0x03, [...dynamicFee, quantity('maxFeePerBlobGas'), blobVersionedHashes, ...signature]],
  [0x04, [...dynamicFee, skip, ...signature]],
  [OP_DEPOSIT, [skip, from, to, skip, skip, skip, skip, input]],
  ...ARBITRUM_FIELDS.map(([type, fields]) => [type, fields.map(memberOfArbitrum)] as const),
]);

/** The members of these types affect no price. */
const WITHOUT_MEMBERS: ReadonlySet<number> = new Set([OP_POST_EXECUTION, POLYGON_STATE_SYNC]);

/** The lowest first byte of a list. A legacy transaction is a list; types are lower (EIP-2718). */
const FIRST_LIST = 0xc0;

/** Returns the type of a transaction or receipt from its payload. */
export const typeOfPayload = (payload: Uint8Array): number =>
  (payload[0] ?? FIRST_LIST) >= FIRST_LIST ? 0 : (payload[0] as number);

/**
 * Decodes a transaction, without its hash, which no figure depends on.
 * @param payload type byte and RLP, as the transactionsRoot covers it
 * @throws ProofError naming the transaction
 */
export function decodeRawTransaction({ rules }: Chain, payload: Uint8Array, index: number) {
  return inElement('transactions', index, () => {
    const type = typeOfPayload(payload);
    if (!isKnownType(rules, type)) {
      throw unknownRule('type', unknownTypeProblem(type));
    }
    return { type, payload, source: decodeMembers(rules, type, payload) };
  });
}

function decodeMembers(rules: Rules, type: number, payload: Uint8Array): PricedMembers {
  const members: Members = { type: `0x${type.toString(16)}` };
  if (WITHOUT_MEMBERS.has(type)) return members;
  const readMembers = READ_MEMBERS.get(type);
  if (!readMembers) throw new ProofError('type', `type 0x${type.toString(16)} is not read from raw bytes`);
  const items = createListReader(payload, '', type === 0 ? 0 : 1);
  for (const read of readMembers) read(items, members, rules);
  if (items.isAtEnd()) return members;
  throw new ProofError('', `it has more members than those of type ${type}`);
}
