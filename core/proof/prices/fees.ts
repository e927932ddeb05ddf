import type { Fees } from '../../figures/fee-parts.ts';

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
