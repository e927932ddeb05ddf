import { inElement, ProofError } from '../encoding/proof-error.ts';
import { data, type Field, fixed, quantity, type RlpWriter, writeList } from '../encoding/rlp.ts';
import type { RpcTransaction } from '../json/rpc-types.ts';

type Member = Field<RpcTransaction>;

const chainId = quantity('chainId');
const nonce = quantity('nonce');
export const gas = quantity('gas');
export const gasPrice = quantity('gasPrice');
export const maxFeePerGas = quantity('maxFeePerGas');
export const maxPriorityFeePerGas = quantity('maxPriorityFeePerGas');
export const maxFeePerBlobGas = quantity('maxFeePerBlobGas');
const value = quantity('value');
const input = data('input');

/** An address; empty when the transaction creates a contract. */
const addressOrNone =
  (name: string): Field =>
  (writer, { [name]: address }) =>
    address === null || address === undefined ? writer.empty() : writer.fixed(address, 20, name);

/** The receiver. */
export const to = addressOrNone('to');

/** Nodes give a typed transaction's parity as `yParity`, as `v` or as both. */
const yParity: Field = (writer, { yParity, v }) => writer.quantity(yParity ?? v, 'yParity');

const rAndS = [quantity('r'), quantity('s')];
const signature = [yParity, ...rAndS];

/** Writes a list of lists. */
const lists =
  (name: 'accessList' | 'authorizationList', fields: readonly Field[]): Member =>
  (writer, { [name]: sources = [] }) => {
    const mark = writer.size();
    for (let index = sources.length - 1; index >= 0; index--)
      inElement(name, index, () => writeList(writer, fields, sources[index] as Record<string, unknown>));
    writer.list(mark);
  };
const accessList = lists('accessList', [
  fixed('address', 20),
  (writer, { storageKeys }) => writeHashes(writer, storageKeys as readonly unknown[], 'storageKeys'),
]);
const authorizationList = lists('authorizationList', [chainId, fixed('address', 20), nonce, ...signature]);

export const blobVersionedHashes: Member = (writer, { blobVersionedHashes = [] }) =>
  writeHashes(writer, blobVersionedHashes, 'blobVersionedHashes');

export function writeHashes(writer: RlpWriter, hashes: readonly unknown[], field: string): void {
  const mark = writer.size();
  for (let index = hashes.length - 1; index >= 0; index--) writer.fixed(hashes[index], 32, field);
  writer.list(mark);
}

const content = [gas, to, value, input];
const dynamicFee = [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, ...content, accessList];

/** The sender and the data of a deposit of the OP stack, which may hold the L1 attributes. */
export const depositor = fixed('from', 20);
export const depositInput = data('input');
/** https://specs.optimism.io/protocol/deposits.html. Nodes leave out zeros. */
const deposit: readonly Member[] = [
  fixed('sourceHash', 32),
  depositor,
  to,
  (writer, { mint }) => writer.quantity(mint ?? '0x0', 'mint'),
  value,
  gas,
  (writer, { isSystemTx }) => (isSystemTx ? writer.rawByte(1) : writer.empty()),
  depositInput,
];

const requestId = fixed('requestId', 32);
const from = fixed('from', 20);
const refundTo = fixed('refundTo', 20);
/** The only price of Arbitrum's own types, which some nodes name `gasPrice`. */
export const arbitrumOffer: Field = (writer, { maxFeePerGas, gasPrice }) =>
  writer.quantity(maxFeePerGas ?? gasPrice, 'maxFeePerGas');
const l1Deposit = [quantity('l1BaseFee'), quantity('depositValue')];
const retry = [addressOrNone('retryTo'), quantity('retryValue'), fixed('beneficiary', 20)];
const retryData = [quantity('maxSubmissionFee'), refundTo, data('retryData')];
const refunds = [refundTo, quantity('maxRefund'), quantity('submissionFeeRefund')];

/**
 * Members of each transaction type, in the order of its RLP. Arbitrum's own:
 * https://github.com/OffchainLabs/go-ethereum core/types/arb_types.go.
 */
const TRANSACTION_FIELDS: ReadonlyMap<number, readonly Member[]> = new Map([
  [0x00, [nonce, gasPrice, ...content, quantity('v'), ...rAndS]],
  [0x01, [chainId, nonce, gasPrice, ...content, accessList, ...signature]],
  [0x02, [...dynamicFee, ...signature]],
  [0x03, [...dynamicFee, maxFeePerBlobGas, blobVersionedHashes, ...signature]],
  [0x04, [...dynamicFee, authorizationList, ...signature]],
  // Deposit of ETH from L1.
  [0x64, [chainId, requestId, from, fixed('to', 20), value]],
  // Call of an L1 account, and of an L1 contract, neither of them signed.
  [0x65, [chainId, from, nonce, arbitrumOffer, ...content]],
  [0x66, [chainId, requestId, from, arbitrumOffer, ...content]],
  // Redeem of a retryable ticket.
  [0x68, [chainId, nonce, from, arbitrumOffer, ...content, fixed('ticketId', 32), ...refunds]],
  // Submission of a retryable ticket. Its `input` in JSON encodes the same in another way and is not hashed.
  [0x69, [chainId, requestId, from, ...l1Deposit, arbitrumOffer, gas, ...retry, ...retryData]],
  // ArbOS's own, at the beginning of each block.
  [0x6a, [chainId, input]],
  [0x7e, deposit],
]);

/** @throws ProofError when the members of a type are not known */
export function fieldsOf(type: number): readonly Member[] {
  const fields = TRANSACTION_FIELDS.get(type);
  if (fields) return fields;
  throw new ProofError('type', `transactions of type 0x${type.toString(16)} do not hash to their hash`);
}
