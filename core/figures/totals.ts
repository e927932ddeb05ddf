import { type Fees, NO_FEES, sumFees } from './fee-parts.ts';

/** Sums over blocks. Fees are in wei. */
export interface Totals {
  readonly blocks: number;
  /** All transactions in the block bodies, including failed and protocol transactions. */
  readonly transactions: number;
  readonly protocolTransactions: number;
  readonly fees: Fees;
}

export const NO_TOTALS: Totals = { blocks: 0, transactions: 0, protocolTransactions: 0, fees: NO_FEES };

export function addTotals(a: Totals, b: Totals): Totals {
  return {
    blocks: a.blocks + b.blocks,
    transactions: a.transactions + b.transactions,
    protocolTransactions: a.protocolTransactions + b.protocolTransactions,
    fees: sumFees([a.fees, b.fees]),
  };
}
