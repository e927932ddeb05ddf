import type { Chain } from '../../chains/chains.ts';
import { isProtocolTransaction } from '../../chains/protocol-transactions.ts';
import type { Rules } from '../../chains/rule-types.ts';
import { BLOB, isUnpaid, OP_DEPOSIT } from '../../chains/transaction-types.ts';
import { type Fees, NO_FEES } from '../../figures/fee-parts.ts';
import type { Measures } from '../../figures/measures.ts';
import { changedRule, inElement, ProofError, present } from '../encoding/proof-error.ts';
import type { Transaction } from '../fields/read-transactions.ts';
import { recoverSigner } from '../fields/signer.ts';
import { checkHeaderRules } from '../fields/tripwires.ts';
import type { RpcHeader, StatedPrices } from '../json/rpc-types.ts';
import { effectiveGasPrice } from './eip1559.ts';
import { blobGasPrice, checkBlobs, GAS_PER_BLOB } from './eip4844.ts';
import { type L1Prices, l1PricesOf, operatorFee } from './l1-fee.ts';

/** The values of a block that its transactions' prices depend on. */
export interface PriceContext {
  readonly rules: Rules;
  readonly timestamp: number;
  readonly miner: string;
  readonly gasLimit: bigint;
  /** @throws ProofError after more recoveries than an honest block needs */
  readonly recoverSigner: (payload: Uint8Array, type: number) => string;
  /** Wei; undefined before London. */
  readonly baseFee: bigint | undefined;
  /** Wei; computed on the first call, since few blocks have blobs. */
  readonly blobGasPrice: () => bigint;
  /** Undefined on chains without an L1 fee. */
  readonly l1: L1Prices | undefined;
}

/**
 * A recovery takes a millisecond, so a forged block full of candidates would take minutes. Real blocks of BSC have fewer than ten
 * transactions that call a system contract at the price 0.
 */
const MAX_RECOVERIES = 500;

/**
 * Reads the values from the proven header and transactions of a block.
 * @throws ProofError when the block follows rules that this version does not know
 */
export function priceContext(
  { rules }: Chain,
  header: RpcHeader,
  transactions: readonly Transaction[],
): PriceContext {
  checkHeaderRules(rules, header);
  checkBlobs(rules, header, transactions);
  const timestamp = Number(header.timestamp);
  let blobPrice: bigint | undefined;
  let recoveries = 0;
  return {
    rules,
    timestamp,
    miner: header.miner.toLowerCase(),
    gasLimit: BigInt(header.gasLimit),
    recoverSigner: (payload, type) => {
      recoveries += 1;
      if (recoveries <= MAX_RECOVERIES) return recoverSigner(payload, type);
      throw new ProofError('transactions', `more than ${MAX_RECOVERIES} of them could be of the protocol`);
    },
    baseFee: header.baseFeePerGas == null ? undefined : BigInt(header.baseFeePerGas),
    blobGasPrice: () => {
      blobPrice ??= blobGasPrice(rules, header);
      return blobPrice;
    },
    l1: l1PricesOf(rules, header, transactions[0]),
  };
}

/** A transaction of a block with what it paid. */
export interface ProvenTransaction {
  readonly type: number;
  readonly fees: Fees;
  readonly measures: Measures;
  /** True for transactions that the protocol itself put into the block. */
  readonly isProtocol: boolean;
}

/** The outcome of a transaction, from its receipt. */
export interface Outcome {
  readonly gasUsed: bigint;
  /** Undefined before Byzantium, when receipts had a state root instead of a status (EIP-658). */
  readonly isFailed: boolean | undefined;
}

/** Derives what a transaction paid from proven data alone. @throws ProofError naming the transaction's field */
export function priceTransaction(
  context: PriceContext,
  transaction: Transaction,
  { gasUsed, isFailed }: Outcome,
  index: number,
): { readonly priced: ProvenTransaction; readonly stated: StatedPrices } {
  return inElement('transactions', index, () => {
    const { rules, baseFee } = context;
    const { type, to } = transaction;
    const price = effectiveGasPrice(rules, transaction, baseFee, gasUsed);
    const isProtocol = isProtocolTransaction(rules, {
      type,
      to,
      feeCap: () => present('maxFeePerGas', transaction.feeCap),
      sender: () => senderOf(context, transaction),
      miner: () => context.miner,
    });
    const { fees, blobs, stated } = isUnpaid(rules, type)
      ? UNPAID
      : paidFees(context, transaction, gasUsed, price);
    // Before London, nothing was burned.
    const measures = measuresOf(fees, { gasUsed, isFailed, blobs, price, baseFee: baseFee ?? 0n });
    return { priced: { type, fees, measures, isProtocol }, stated };
  });
}

/**
 * Returns the sender. A deposit's payload contains it. A transaction with more gas than its block can only be the validator's own, such as
 * BSC's system transactions with 2^63 - 1. Otherwise the sender is recovered from the signature, which takes longer than all the rest of a
 * small block.
 */
function senderOf(context: PriceContext, { type, payload, from = '', gas = 0n }: Transaction): string {
  if (type === OP_DEPOSIT) return from;
  return gas > context.gasLimit ? context.miner : context.recoverSigner(payload, type);
}

const NOTHING: StatedPrices = {};
const UNPAID = { fees: NO_FEES, blobs: 0n, stated: NOTHING };

function paidFees(context: PriceContext, transaction: Transaction, gasUsed: bigint, price: bigint) {
  const { l1Data, operator, stated } = l1Charges(context, transaction.payload, gasUsed);
  const blob = transaction.type === BLOB ? blobCharges(context, transaction) : NO_BLOBS;
  // Without gas, the price affects no figure, and nodes report it differently for Arbitrum's own types.
  const gasPrice = gasUsed > 0n ? { effectiveGasPrice: price } : NOTHING;
  // Most transactions state nothing else, and merging objects takes 2% of a proof.
  const hasGasAlone = stated === NOTHING && blob.stated === NOTHING;
  return {
    fees: { execution: gasUsed * price, l1Data, operator, blob: blob.fee, retryableDoubleCount: 0n },
    blobs: blob.blobs,
    stated: hasGasAlone ? gasPrice : { ...gasPrice, ...stated, ...blob.stated },
  };
}

const NO_BLOBS = { fee: 0n, blobs: 0n, stated: NOTHING };

/** Returns the charges for blobs. A price above all offers may be the only trace of a new schedule of blobs. */
function blobCharges({ blobGasPrice }: PriceContext, { blobs = 0, blobFeeCap }: Transaction) {
  const gas = GAS_PER_BLOB * BigInt(blobs);
  const price = blobGasPrice();
  const offer = present('maxFeePerBlobGas', blobFeeCap);
  if (price > offer)
    throw changedRule('maxFeePerBlobGas', `it offers ${offer}, less than the price ${price}`);
  return { fee: gas * price, blobs: BigInt(blobs), stated: { blobGasUsed: gas, blobGasPrice: price } };
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

interface Measured extends Outcome {
  readonly blobs: bigint | undefined;
  /** Wei per gas. */
  readonly price: bigint;
  /** Wei per gas; undefined if it is not known. */
  readonly baseFee: bigint | undefined;
}

/** Returns the measures of one transaction. @param fees the fees that it paid, which may be 0 regardless of its gas */
export const measuresOf = (fees: Fees, { gasUsed, isFailed, blobs, price, baseFee }: Measured): Measures => ({
  gasUsed,
  failedTransactions: isFailed === undefined ? undefined : BigInt(isFailed),
  priorityFees:
    fees.execution === 0n
      ? 0n
      : baseFee === undefined
        ? undefined
        : gasUsed * (price > baseFee ? price - baseFee : 0n),
  blobs,
});
