import type { Chain } from '../chains/chains.ts';
import { feeParts, mapPaidAttributes } from '../chains/fee-parts.ts';
import type { Interval } from '../chains/interval.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { ChainReader } from '../store/chain-store.ts';
import { dayRow, type PublicRow, paidAmount, periodRow } from '../store/day-row.ts';
import { queryPaidFees, queryPublicDays, queryTransactionCounts } from '../store/query-figures.ts';
import type { Columns, Dated } from './formats.ts';

/**
 * The rows that an endpoint serves. A row takes three steps: `read` returns the attributes of days, `rowOfDay` or `rowOfPeriod` makes a
 * JSON object of them, and `columnsOf` the cells of CSV.
 */
export interface Series<Day extends Dated, Row extends Dated> {
  /** Reads the final days from `first` to `last`, both included, ascending. */
  readonly read: (store: ChainReader, first: UtcDay, last: UtcDay) => Promise<readonly Day[]>;
  readonly rowOfDay: (day: Day) => Row;
  /**
   * Sums up a period.
   * @param date its first day
   * @param days all its days since the chain's first, ascending
   */
  readonly rowOfPeriod: (date: UtcDay, days: readonly Day[]) => Row;
  readonly columnsOf: (interval: Interval) => Columns<Row>;
  /** Returns the response headers that only this series has. */
  readonly headersOf: (chain: Chain) => Record<string, string>;
}

/** Any series, where its types do not matter. */
export type AnySeries = Series<never, never>;

const currencyOf = ({ coin }: Chain) => ({ 'X-Fees-Currency': coin });

interface TransactionCountRow extends Dated {
  readonly transaction_count: number;
}

/** The number of transactions in the blocks. */
export const transactionCount: Series<TransactionCountRow, TransactionCountRow> = {
  read: queryTransactionCounts,
  rowOfDay: ({ date, transaction_count }) => ({ date, transaction_count }),
  rowOfPeriod: (date, days) => ({
    date,
    transaction_count: days.reduce((sum, day) => sum + day.transaction_count, 0),
  }),
  columnsOf: () => ({ date: (row) => row.date, transaction_count: (row) => row.transaction_count }),
  headersOf: () => ({}),
};

type PaidFees = Awaited<ReturnType<typeof queryPaidFees>>[number];

/** Everything that senders paid, as an exact decimal of the chain's coin. */
export const fees: Series<PaidFees, Dated & { readonly fees: string }> = {
  read: queryPaidFees,
  rowOfDay: (day) => ({ date: day.date, fees: paidAmount([day]) }),
  rowOfPeriod: (date, days) => ({ date, fees: paidAmount(days) }),
  columnsOf: () => ({ date: (row) => row.date, fees: (row) => row.fees }),
  headersOf: currencyOf,
};

type PublicDay = Awaited<ReturnType<typeof queryPublicDays>>[number];

const figureColumns: Columns<PublicRow> = {
  transaction_count: (row) => row.transaction_count,
  user_transaction_count: (row) => row.user_transaction_count,
  protocol_transaction_count: (row) => row.protocol_transaction_count,
  fees: (row) => row.fees,
  ...mapPaidAttributes((name) => (row: PublicRow) => row[feeParts[name].attribute]),
  block_count: (row) => row.block_count,
  first_block_number: (row) => row.first_block?.number,
  first_block_hash: (row) => row.first_block?.hash,
  last_block_number: (row) => row.last_block?.number,
  last_block_hash: (row) => row.last_block?.hash,
  evidence: (row) => row.evidence,
  definition_version: (row) => row.definition_version,
  revision: (row) => row.revision,
  ingested_at: (row) => row.ingested_at,
};

/** Everything that is published about a day. */
export const days: Series<PublicDay, PublicRow> = {
  read: queryPublicDays,
  rowOfDay: dayRow,
  rowOfPeriod: periodRow,
  columnsOf: (interval) =>
    interval === 'day'
      ? {
          date: (row) => row.date,
          ...figureColumns,
          restatement_count: (row) => row.restatements?.length ?? 0,
        }
      : { date: (row) => row.date, day_count: (row) => row.day_count, ...figureColumns },
  headersOf: currencyOf,
};
