import { integer } from '../../../core/store/attributes/shared-attributes.ts';
import { dayReader } from '../../../core/store/days/day-reader.ts';
import { type Dated, plainColumns } from '../formats.ts';
import { querySchema } from '../query.ts';
import { hourReader } from './hours.ts';
import { hourly, type Series, type SeriesByInterval } from './series.ts';

type TransactionCountRow = Dated & { readonly transaction_count: number };

const shape = { transaction_count: integer };

const days: Series<TransactionCountRow, TransactionCountRow> = {
  read: dayReader(shape),
  rowsOf: (date, days) => [
    { date, transaction_count: days.reduce((sum, day) => sum + day.transaction_count, 0) },
  ],
  columns: plainColumns('date', 'transaction_count'),
};

export const transactionCount: SeriesByInterval = {
  schema: querySchema,
  day: days,
  period: days,
  hour: hourly(days, hourReader(shape, {})),
  hidesEvidence: true,
};
