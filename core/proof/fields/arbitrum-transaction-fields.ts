import { data, type Field, fixed, quantity } from '../encoding/rlp-fields.ts';
import type { RpcTransaction } from '../json/rpc-types.ts';

const chainId = quantity<RpcTransaction>('chainId');
const requestId = fixed<RpcTransaction>('requestId', 32);
const from = fixed<RpcTransaction>('from', 20);
const nonce = quantity<RpcTransaction>('nonce');
export const gas = quantity<RpcTransaction>('gas');
const value = quantity<RpcTransaction>('value');
const input = data<RpcTransaction>('input');
const refundTo = fixed<RpcTransaction>('refundTo', 20);

/** Some nodes name the only price of these types `gasPrice`. */
export const maxFeePerGas: Field<RpcTransaction> = (writer, { maxFeePerGas, gasPrice }) =>
  writer.quantity(maxFeePerGas ?? gasPrice, 'maxFeePerGas');

const addressOrNone =
  (name: 'to' | 'retryTo'): Field<RpcTransaction> =>
  (writer, transaction) => {
    const address = transaction[name];
    if (address === null || address === undefined) writer.empty();
    else writer.fixed(address, 20, name);
  };
const to = addressOrNone('to');

/** Arbitrum's own transaction types: https://github.com/OffchainLabs/go-ethereum core/types/arb_types.go. */
export const ARBITRUM_FIELDS: readonly [number, readonly Field<RpcTransaction>[]][] = [
  // Deposit of ETH from L1.
  [0x64, [chainId, requestId, from, fixed('to', 20), value]],
  // Call of an L1 account, and of an L1 contract, neither of them signed.
  [0x65, [chainId, from, nonce, maxFeePerGas, gas, to, value, input]],
  [0x66, [chainId, requestId, from, maxFeePerGas, gas, to, value, input]],
  // Redeem of a retryable ticket.
  [
    0x68,
    [
      chainId,
      nonce,
      from,
      maxFeePerGas,
      gas,
      to,
      value,
      input,
      fixed('ticketId', 32),
      refundTo,
      quantity('maxRefund'),
      quantity('submissionFeeRefund'),
    ],
  ],
  // Submission of a retryable ticket. Its `input` in JSON encodes the same in another way and is not hashed.
  [
    0x69,
    [
      chainId,
      requestId,
      from,
      quantity('l1BaseFee'),
      quantity('depositValue'),
      maxFeePerGas,
      gas,
      addressOrNone('retryTo'),
      quantity('retryValue'),
      fixed('beneficiary', 20),
      quantity('maxSubmissionFee'),
      refundTo,
      data('retryData'),
    ],
  ],
  // ArbOS's own, at the beginning of each block.
  [0x6a, [chainId, input]],
];
