import type { Rules } from './rules.ts';
import { ARBITRUM_SUBMIT_RETRYABLE, isUnpaidOnOpStack, POLYGON_STATE_SYNC } from './transaction-types.ts';

/** The fees that senders paid, in wei, part by part. */
export interface Fees {
  /** Gas used times its price: burned base fee and tip together. */
  readonly execution: bigint;
  /** OP stack: the charge for posting the transaction's data to L1. */
  readonly l1Data: bigint;
  /** OP stack since Isthmus. */
  readonly operator: bigint;
  /** EIP-4844 blobs. */
  readonly blob: bigint;
  /** In no sum: gas that an Arbitrum retryable reports and that its redeem reports once more. */
  readonly retryableDoubleCount: bigint;
}

export const NO_FEES: Fees = { execution: 0n, l1Data: 0n, operator: 0n, blob: 0n, retryableDoubleCount: 0n };

/** Everything that senders paid for inclusion and execution, in wei. */
export const totalFees = (fees: Fees): bigint => fees.execution + fees.l1Data + fees.operator + fees.blob;

export const addFees = (a: Fees, b: Fees): Fees => ({
  execution: a.execution + b.execution,
  l1Data: a.l1Data + b.l1Data,
  operator: a.operator + b.operator,
  blob: a.blob + b.blob,
  retryableDoubleCount: a.retryableDoubleCount + b.retryableDoubleCount,
});

/** The charges of one transaction, derived from block hashes (`lambda/proof`) or read from its receipt (`receipt-fees.ts`). */
export interface Charges {
  readonly gasUsed: bigint;
  /** Wei per gas. */
  readonly effectiveGasPrice: bigint;
  /** Wei; 0 on chains and for types without it, as the next two. */
  readonly l1Data: bigint;
  readonly operator: bigint;
  readonly blob: bigint;
}

/** Returns whether a transaction of this type pays nothing. Its charges are then never looked at. */
export const isUnpaid = (rules: Rules, type: number): boolean =>
  (rules.family === 'op-stack' && isUnpaidOnOpStack(type)) ||
  (rules.family === 'polygon' && type === POLYGON_STATE_SYNC);

/** Returns the fees that the sender of one transaction of a paying type paid. */
export function feesOf(rules: Rules, type: number, charges: Charges): Fees {
  const gas = charges.gasUsed * charges.effectiveGasPrice;
  const { l1Data, operator, blob } = charges;
  // Arbitrum's gasUsed already contains gasUsedForL1. A retryable's submission reports its gas limit, and its redeem (0x68)
  // the gas really used, paid from the same deposit: https://github.com/OffchainLabs/nitro arbos/tx_processor.go.
  return rules.family === 'arbitrum' && type === ARBITRUM_SUBMIT_RETRYABLE
    ? { ...NO_FEES, retryableDoubleCount: gas }
    : { execution: gas, l1Data, operator, blob, retryableDoubleCount: 0n };
}
