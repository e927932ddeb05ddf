import * as z from 'zod/mini';
import { paidAmount } from '../../../core/figures/amounts.ts';
import { mapPaidAttributes } from '../../../core/figures/fee-parts.ts';
import { dayReader } from '../../../core/store/days/day-reader.ts';
import { type Dated, plainColumns } from '../formats.ts';
import { hourReader } from './hours.ts';
import { hourly, type Series, type SeriesByInterval } from './series.ts';

const shape = mapPaidAttributes(() => z.bigint());

const read = dayReader(shape);

type PaidFees = Awaited<ReturnType<typeof read>>[number];

const days: Series<PaidFees, Dated & { readonly fees: string }> = {
  read,
  rowsOf: (date, days) => [{ date, fees: paidAmount(days) }],
  columns: plainColumns('date', 'fees'),
};

/** Everything that senders paid, as an exact decimal of the chain's coin. */
export const fees: SeriesByInterval = {
  day: days,
  period: days,
  hour: hourly(days, hourReader(shape, {})),
  hasFees: true,
  hidesEvidence: true,
};
