import type { Chain } from '../chains/chains.ts';
import { totalFees } from '../chains/fees.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { queryFees, queryTransactionCounts } from '../store/days.ts';
import { coinAmount } from './coin-amount.ts';
import type { Row } from './formats.ts';

/** One figure of a day, as an endpoint serves it. */
export interface Metric {
  /** The member of a row that holds it. */
  readonly field: string;
  /** Reads it of the final days from `first` to `last`, both included, ascending. */
  readonly read: (store: ChainStore, first: UtcDay, last: UtcDay) => Promise<readonly Row[]>;
  readonly headersOf: (chain: Chain) => Record<string, string>;
}

/** All transactions of the day's blocks, an integer. */
export const transactionCount: Metric = {
  field: 'transaction_count',
  read: queryTransactionCounts,
  headersOf: () => ({}),
};

/** Everything that senders paid, an exact decimal string in the chain's coin. */
export const fees: Metric = {
  field: 'fees',
  read: async (...range) =>
    (await queryFees(...range)).map(([day, fees]) => [day, coinAmount(totalFees(fees))]),
  headersOf: ({ coin }) => ({ 'X-Fees-Currency': coin }),
};
