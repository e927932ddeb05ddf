import type { Chain } from '../chains/chains.ts';
import { totalFees } from '../chains/fees.ts';
import type { Totals } from '../chains/totals.ts';
import { coinAmount } from './coin-amount.ts';

/** One figure of a day, as an endpoint serves it. */
export interface Metric {
  /** The member of a row that holds it. */
  readonly field: string;
  readonly valueOf: (totals: Totals) => number | string;
  readonly headersOf: (chain: Chain) => Record<string, string>;
}

/** All transactions of the day's blocks, an integer. */
export const transactionCount: Metric = {
  field: 'transaction_count',
  valueOf: ({ transactions }) => transactions,
  headersOf: () => ({}),
};

/** Everything that senders paid, an exact decimal string in the chain's coin. */
export const fees: Metric = {
  field: 'fees',
  valueOf: (totals) => coinAmount(totalFees(totals.fees)),
  headersOf: ({ coin }) => ({ 'X-Fees-Currency': coin }),
};
