import type { Fees } from '../figures/fee-parts.ts';
import type { Rules } from './rule-types.ts';
import { isUnpaidOnOpStack, POLYGON_STATE_SYNC } from './transaction-types.ts';

/** The charges of one transaction, derived from block hashes (`core/proof`) or read from its receipt (`core/proof/check-block.ts`). */
export interface Charges {
  readonly gasUsed: bigint;
  /** Wei per gas. */
  readonly effectiveGasPrice: bigint;
  /** Wei, as the next two; 0 on chains and for types that do not charge it. */
  readonly l1Data: bigint;
  readonly operator: bigint;
  readonly blob: bigint;
}

/** Returns whether transactions of this type pay nothing. Callers ignore their charges. */
export const isUnpaid = (rules: Rules, type: number): boolean =>
  (rules.family === 'op-stack' && isUnpaidOnOpStack(type)) ||
  (rules.family === 'polygon' && type === POLYGON_STATE_SYNC);

/**
 * Returns the fees of one transaction of a paying type. Arbitrum's gasUsed already contains gasUsedForL1, and the gas that a transaction
 * donates to redeems, which `core/proof/redeems.ts` subtracts.
 */
export const feesOf = ({ gasUsed, effectiveGasPrice, l1Data, operator, blob }: Charges): Fees => ({
  execution: gasUsed * effectiveGasPrice,
  l1Data,
  operator,
  blob,
  retryableDoubleCount: 0n,
});
