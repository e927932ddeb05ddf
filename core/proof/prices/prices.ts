import { isProtocolTransaction } from '../../chains/protocol-transactions.ts';
import { BLOB, isUnpaid, OP_DEPOSIT } from '../../chains/transaction-types.ts';
import { type Fees, NO_FEES } from '../../figures/fee-parts.ts';
import { changedRule, inElement, present } from '../encoding/proof-error.ts';
import type { HashedTransaction } from '../fields/transactions.ts';
import type { PricedMembers } from '../json/rpc-types.ts';
import { effectiveGasPrice, feeCap } from './eip1559.ts';
import { blobGasOf } from './eip4844.ts';
import { feesOf } from './fees.ts';
import { operatorFee } from './operator-fee.ts';
import type { PriceContext } from './price-context.ts';

/** The price of one transaction, derived from its block's hash. */
export interface TransactionPrice {
  readonly fees: Fees;
  /** True when the protocol put the transaction into the block. */
  readonly isProtocol: boolean;
  /** Wei per gas. */
  readonly price: bigint;
  readonly blobs: bigint;
  readonly stated: StatedPrices;
}

/** If a receipt states one of these values, it must be equal. Those that affect no figure are absent. In wei or gas. */
export interface StatedPrices {
  readonly effectiveGasPrice?: bigint;
  readonly blobGasUsed?: bigint;
  readonly blobGasPrice?: bigint;
  readonly l1Fee?: bigint;
  readonly operatorFeeScalar?: bigint;
  readonly operatorFeeConstant?: bigint;
}

/**
 * Derives the price of one transaction from proven data alone.
 * @param gasUsed from the proven receipts
 * @throws ProofError naming the transaction's field
 */
export function priceTransaction(
  context: PriceContext,
  transaction: PricedMembers,
  { type, payload }: Pick<HashedTransaction, 'type' | 'payload'>,
  gasUsed: bigint,
  index: number,
): TransactionPrice {
  return inElement('transactions', index, () => {
    const price = effectiveGasPrice(context.rules, type, transaction, context.baseFee, gasUsed);
    const isProtocol = isProtocolTransaction(context.rules, {
      type,
      to: transaction.to?.toLowerCase(),
      feeCap: () => feeCap(type, transaction),
      sender: () => senderOf(context, transaction, type, payload),
      miner: () => context.miner,
    });
    if (isUnpaid(context.rules, type)) return { fees: NO_FEES, isProtocol, price, blobs: 0n, stated: {} };
    return { isProtocol, price, ...paidFees(context, transaction, type, payload, gasUsed, price) };
  });
}

/**
 * Returns the sender. A deposit's payload contains it. A transaction with more gas than its block can only be the validator's own, such as
 * BSC's system transactions with 2^63 - 1. Otherwise the sender is recovered from the signature, which takes longer than all the rest of a
 * small block.
 */
function senderOf(
  context: PriceContext,
  transaction: PricedMembers,
  type: number,
  payload: Uint8Array,
): string {
  if (type === OP_DEPOSIT) return (transaction.from ?? '').toLowerCase();
  return BigInt(transaction.gas ?? 0) > context.gasLimit
    ? context.miner
    : context.recoverSigner(payload, type);
}

function paidFees(
  context: PriceContext,
  transaction: PricedMembers,
  type: number,
  payload: Uint8Array,
  gasUsed: bigint,
  price: bigint,
): Pick<TransactionPrice, 'fees' | 'blobs' | 'stated'> {
  const l1 = l1Charges(context, payload, gasUsed);
  const blob = type === BLOB ? blobCharges(context, transaction) : NO_BLOBS;
  const { l1Data, operator } = l1;
  // Without gas, the price affects no figure, and nodes report it differently for Arbitrum's own types.
  const gasPrice = gasUsed > 0n ? { effectiveGasPrice: price } : NOTHING;
  // Most transactions state nothing else, and merging objects takes 2 % of a proof.
  const hasGasAlone = l1.stated === NOTHING && blob.stated === NOTHING;
  return {
    fees: feesOf({ gasUsed, effectiveGasPrice: price, l1Data, operator, blob: blob.fee }),
    blobs: blob.blobs,
    stated: hasGasAlone ? gasPrice : { ...gasPrice, ...l1.stated, ...blob.stated },
  };
}

const NOTHING: StatedPrices = {};
const NO_BLOBS = { fee: 0n, blobs: 0n, stated: NOTHING };

/** Returns the charges for blobs. A price above all offers may be the only trace of a new schedule of blobs. */
function blobCharges(
  { blobGasPrice }: PriceContext,
  { blobVersionedHashes = [], maxFeePerBlobGas }: PricedMembers,
) {
  const gas = blobGasOf(blobVersionedHashes);
  const price = blobGasPrice();
  const offer = BigInt(present('maxFeePerBlobGas', maxFeePerBlobGas));
  if (price > offer)
    throw changedRule('maxFeePerBlobGas', `it offers ${offer}, less than the price ${price}`);
  return {
    fee: gas * price,
    blobs: BigInt(blobVersionedHashes.length),
    stated: { blobGasUsed: gas, blobGasPrice: price },
  };
}

const NO_L1_CHARGES = { l1Data: 0n, operator: 0n, stated: NOTHING };

function l1Charges({ l1, timestamp }: PriceContext, payload: Uint8Array, gasUsed: bigint) {
  if (!l1) return NO_L1_CHARGES;
  const l1Data = l1.l1Fee(payload);
  return {
    l1Data,
    operator: operatorFee(l1.rules, timestamp, gasUsed, l1.operatorFee),
    stated: { l1Fee: l1Data, ...(timestamp >= l1.rules.isthmusTime && l1.operatorFee) },
  };
}
