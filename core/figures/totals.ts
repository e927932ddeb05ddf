import { type Fees, NO_FEES, sumFees } from './fee-parts.ts';
import { type Measures, NO_MEASURES, sumMeasures } from './measures.ts';

/** The sums of any number of blocks. Fees are in wei. */
export interface Totals {
  readonly blocks: number;
  /** Every transaction in the blocks, including failed ones and those of the protocol. */
  readonly transactions: number;
  readonly protocolTransactions: number;
  readonly fees: Fees;
  readonly measures: Measures;
}

export const NO_TOTALS: Totals = {
  blocks: 0,
  transactions: 0,
  protocolTransactions: 0,
  fees: NO_FEES,
  measures: NO_MEASURES,
};

export const addTotals = (a: Totals, b: Totals): Totals => ({
  blocks: a.blocks + b.blocks,
  transactions: a.transactions + b.transactions,
  protocolTransactions: a.protocolTransactions + b.protocolTransactions,
  fees: sumFees([a.fees, b.fees]),
  measures: sumMeasures([a.measures, b.measures]),
});
