import { type Fees, NO_FEES } from '../figures/fee-parts.ts';
import type { Rules } from './rule-types.ts';
import { ARBITRUM_SUBMIT_RETRYABLE, isUnpaidOnOpStack, POLYGON_STATE_SYNC } from './transaction-types.ts';

/** The charges of one transaction, derived from block hashes (`core/proof`) or read from its receipt (`core/proof/check-block.ts`). */
export interface Charges {
  readonly gasUsed: bigint;
  /** Wei per gas. */
  readonly effectiveGasPrice: bigint;
  /** Wei; 0 on chains and for types without it, as the next two. */
  readonly l1Data: bigint;
  readonly operator: bigint;
  readonly blob: bigint;
}

/** Returns whether a transaction of this type pays nothing. Its charges are then ignored. */
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
