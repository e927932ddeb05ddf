import * as z from 'zod/mini';
import { paidAmount } from '../../core/figures/amounts.ts';
import { mapPaidAttributes } from '../../core/figures/fee-parts.ts';
import { dayReader } from '../../core/store/day-reader.ts';
import type { Dated } from './formats.ts';
import { feesHeaders, type Series } from './series.ts';

const read = dayReader(mapPaidAttributes(() => z.bigint()));

type PaidFees = Awaited<ReturnType<typeof read>>[number];

/** Everything that senders paid, as an exact decimal of the chain's coin. */
export const fees: Series<PaidFees, Dated & { readonly fees: string }> = {
  read,
  rowOfDay: (day) => ({ date: day.date, fees: paidAmount([day]) }),
  rowOfPeriod: (date, days) => ({ date, fees: paidAmount(days) }),
  columnsOf: () => ({ date: (row) => row.date, fees: (row) => row.fees }),
  headersOf: feesHeaders,
};
