import type { Chain } from '../chains/chains.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { ChainReader } from '../store/chain-store.ts';
import { queryPaidFees, queryTransactionCounts } from '../store/query-figures.ts';
import type { DayValue } from './formats.ts';

/** A daily figure that an endpoint serves. */
export interface Metric {
  /** Name of the row member that holds the value. */
  readonly field: string;
  /** Reads the final days from `first` to `last`, both included, ascending. */
  readonly read: (store: ChainReader, first: UtcDay, last: UtcDay) => Promise<readonly DayValue[]>;
  /** Returns the response headers that only this metric has. */
  readonly headersOf: (chain: Chain) => Record<string, string>;
}

/** The number of transactions in the day's blocks. */
export const transactionCount: Metric = {
  field: 'transaction_count',
  read: queryTransactionCounts,
  headersOf: () => ({}),
};

/** Everything that senders paid, as an exact decimal of the chain's coin. */
export const fees: Metric = {
  field: 'fees',
  read: async (...range) => (await queryPaidFees(...range)).map(([day, fees]) => [day, coinAmount(fees)]),
  headersOf: ({ coin }) => ({ 'X-Fees-Currency': coin }),
};

const WEI_PER_COIN = 10n ** 18n;

/** Formats wei as an exact decimal of the coin without trailing zeros: `1500000000000000000n` is `1.5`. */
export function coinAmount(wei: bigint): string {
  const fraction = (wei % WEI_PER_COIN).toString().padStart(18, '0').replace(/0+$/, '');
  const whole = (wei / WEI_PER_COIN).toString();
  return fraction ? `${whole}.${fraction}` : whole;
}
