import type { RlpWriter } from '../encoding/rlp.ts';
import { data, type Field, fixed, quantity } from '../encoding/rlp-fields.ts';
import type { RpcTransaction } from '../json/rpc-types.ts';
import { ARBITRUM_FIELDS } from './arbitrum-transaction-fields.ts';

const nonce = quantity<RpcTransaction>('nonce');
const chainId = quantity<RpcTransaction>('chainId');
const gas = quantity<RpcTransaction>('gas');
const gasPrice = quantity<RpcTransaction>('gasPrice');
const value = quantity<RpcTransaction>('value');
const input = data<RpcTransaction>('input');

/** The receiver; empty when the transaction creates a contract. */
const to: Field<RpcTransaction> = (writer, { to }) =>
  to === null || to === undefined ? writer.empty() : writer.fixed(to, 20, 'to');

/** Nodes give a typed transaction's parity as `yParity`, as `v` or as both. */
const yParity: Field<RpcTransaction> = (writer, { yParity, v }) => writer.quantity(yParity ?? v, 'yParity');

const signed = [quantity<RpcTransaction>('r'), quantity<RpcTransaction>('s')];

const accessList: Field<RpcTransaction> = (writer, { accessList = [] }) => {
  const mark = writer.size();
  for (const { address, storageKeys } of accessList.toReversed()) {
    const item = writer.size();
    writeHashes(writer, storageKeys, 'accessList');
    writer.fixed(address, 20, 'accessList');
    writer.list(item);
  }
  writer.list(mark);
};

const blobVersionedHashes: Field<RpcTransaction> = (writer, { blobVersionedHashes = [] }) =>
  writeHashes(writer, blobVersionedHashes, 'blobVersionedHashes');

const authorizationList: Field<RpcTransaction> = (writer, { authorizationList = [] }) => {
  const mark = writer.size();
  for (const authorization of authorizationList.toReversed()) {
    const item = writer.size();
    writer.quantity(authorization.s, 'authorizationList');
    writer.quantity(authorization.r, 'authorizationList');
    writer.quantity(authorization.yParity ?? authorization.v, 'authorizationList');
    writer.quantity(authorization.nonce, 'authorizationList');
    writer.fixed(authorization.address, 20, 'authorizationList');
    writer.quantity(authorization.chainId, 'authorizationList');
    writer.list(item);
  }
  writer.list(mark);
};

export function writeHashes(writer: RlpWriter, hashes: readonly string[], field: string): void {
  const mark = writer.size();
  for (let index = hashes.length - 1; index >= 0; index--) writer.fixed(hashes[index], 32, field);
  writer.list(mark);
}

const tip = quantity<RpcTransaction>('maxPriorityFeePerGas');
const maxFee = quantity<RpcTransaction>('maxFeePerGas');
const blobs = [quantity<RpcTransaction>('maxFeePerBlobGas'), blobVersionedHashes];
const dynamicFee = [chainId, nonce, tip, maxFee, gas, to, value, input, accessList];

/** Deposits of the OP stack: https://specs.optimism.io/protocol/deposits.html. Nodes leave out zeros. */
const deposit: readonly Field<RpcTransaction>[] = [
  fixed('sourceHash', 32),
  fixed('from', 20),
  to,
  (writer, { mint }) => writer.quantity(mint ?? '0x0', 'mint'),
  value,
  gas,
  (writer, { isSystemTx }) => (isSystemTx ? writer.rawByte(1) : writer.empty()),
  input,
];

/** Members of each transaction type, in the order of its RLP. */
export const TRANSACTION_FIELDS: ReadonlyMap<number, readonly Field<RpcTransaction>[]> = new Map([
  [0x00, [nonce, gasPrice, gas, to, value, input, quantity<RpcTransaction>('v'), ...signed]],
  [0x01, [chainId, nonce, gasPrice, gas, to, value, input, accessList, yParity, ...signed]],
  [0x02, [...dynamicFee, yParity, ...signed]],
  [0x03, [...dynamicFee, ...blobs, yParity, ...signed]],
  [0x04, [...dynamicFee, authorizationList, yParity, ...signed]],
  ...ARBITRUM_FIELDS,
  [0x7e, deposit],
]);
