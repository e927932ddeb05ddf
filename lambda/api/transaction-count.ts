import { dayReader } from '../../core/store/day-reader.ts';
import { integer } from '../../core/store/shared-attributes.ts';
import type { Dated } from './formats.ts';
import type { Series } from './series.ts';

interface TransactionCountRow extends Dated {
  readonly transaction_count: number;
}

/** The number of transactions in the blocks. */
export const transactionCount: Series<TransactionCountRow, TransactionCountRow> = {
  read: dayReader({ transaction_count: integer }),
  rowOfDay: ({ date, transaction_count }) => ({ date, transaction_count }),
  rowOfPeriod: (date, days) => ({
    date,
    transaction_count: days.reduce((sum, day) => sum + day.transaction_count, 0),
  }),
  columnsOf: () => ({ date: (row) => row.date, transaction_count: (row) => row.transaction_count }),
  headersOf: () => ({}),
};
