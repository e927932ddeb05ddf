import * as z from 'zod/mini';
import { paidAmount } from '../../../core/figures/amounts.ts';
import { sumOfDollars } from '../../../core/figures/dollars.ts';
import { mapPaidAttributes } from '../../../core/figures/fee-parts.ts';
import { dayReader } from '../../../core/store/days/day-reader.ts';
import { type Dated, plainColumns } from '../formats.ts';
import { fieldChoice, querySchema } from '../query.ts';
import { hourReader } from './hours.ts';
import { hourly, type Series, type SeriesByInterval } from './series.ts';

export const feesFieldsSchema = fieldChoice(['date', 'fees', 'fees_usd']);
export const feesQuerySchema = z.object({ ...querySchema.shape, fields: z.optional(feesFieldsSchema) });

const shape = mapPaidAttributes(() => z.bigint());

const read = dayReader(shape);

type PaidFees = Awaited<ReturnType<typeof read>>[number];

const days: Series<PaidFees, Dated & { readonly fees: string }> = {
  read,
  rowsOf: (date, days) => [{ date, fees: paidAmount(days) }],
  columns: plainColumns('date', 'fees'),
};

const createReader = () => dayReader({ ...shape, fees_usd: z.optional(z.string()) });

type PricedFees = Awaited<ReturnType<ReturnType<typeof createReader>>>[number];

let readPriced: ReturnType<typeof createReader> | undefined;

/** The same with dollars, for requests that name them. Their schema would slow every cold start. */
const pricedDays: Series<PricedFees, Dated & { readonly fees: string; readonly fees_usd?: string }> = {
  read: (...range) => {
    readPriced ??= createReader();
    return readPriced(...range);
  },
  rowsOf: (date, days) => {
    const fees_usd = sumOfDollars(days.map((day) => day.fees_usd));
    return [{ date, fees: paidAmount(days), ...(fees_usd !== undefined && { fees_usd }) }];
  },
  columns: plainColumns('date', 'fees', 'fees_usd'),
};

/** Everything that senders paid, as an exact decimal of the chain's coin. */
export const fees: SeriesByInterval = {
  day: days,
  period: days,
  hour: hourly(days, hourReader(shape, {})),
  schema: feesQuerySchema,
  inDollars: pricedDays,
  hasFees: true,
  hidesEvidence: true,
};
