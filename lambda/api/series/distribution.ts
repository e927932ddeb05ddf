import * as z from 'zod/mini';
import { amountBounds } from '../../../core/figures/amounts.ts';
import { MAX_DAYS_OF_HOURS, type UtcDay } from '../../../core/figures/calendar.ts';
import { sortedCounts, sumFeeCounts } from '../../../core/figures/fee-buckets.ts';
import {
  feeCountsSchema,
  integer,
  optionalInteger,
} from '../../../core/store/attributes/shared-attributes.ts';
import { dayReader, readDetail } from '../../../core/store/days/day-reader.ts';
import type { ChainReader } from '../../../core/store/table/table.ts';
import { type Dated, plainColumns } from '../formats.ts';
import { periodSchema, querySchema } from '../query.ts';
import type { Series, SeriesByInterval } from './series.ts';

export const periodQuerySchema = z.object({ ...querySchema.shape, interval: periodSchema });

/** Returns a function that reads days with their distributions, which days lack that were imported without details. */
export const withFeeCounts =
  <Day extends Dated & VersionedDay>(read: Series<Day, Dated>['read']) =>
  async (store: ChainReader, first: UtcDay, last: UtcDay) => {
    const days = await read(store, first, last);
    const countsOf = await readDetail(store, { first, last }, 'fee_counts', feeCountsSchema);
    return days.map((day) => {
      const { date, revision, distribution_version } = day;
      return { ...day, feeCounts: distribution_version ? countsOf({ day: date, revision }) : undefined };
    });
  };

interface VersionedDay {
  readonly revision: number;
  readonly distribution_version?: number | undefined;
}

const readDays = withFeeCounts(dayReader({ revision: integer, distribution_version: optionalInteger }));

type CountedDay = Awaited<ReturnType<typeof readDays>>[number];

/** A bucket with at least one transaction. Its fees are at least `from` and less than `to`, in the chain's coin. */
type BucketRow = Dated & ReturnType<typeof amountBounds> & { readonly transaction_count: number };

const days: Series<CountedDay, BucketRow> = {
  read: async (...range) => (await readDays(...range)).filter(({ feeCounts }) => feeCounts),
  rowsOf: (date, counted) =>
    sortedCounts(sumFeeCounts(counted.flatMap(({ feeCounts }) => feeCounts ?? []))).map(
      ([bucket, count]) => ({ date, ...amountBounds(bucket), transaction_count: count }),
    ),
  columns: plainColumns('date', 'from', 'to', 'transaction_count'),
  maxCachedDays: 2 * MAX_DAYS_OF_HOURS,
};

/** The number of transactions by what they paid. */
export const distribution: SeriesByInterval = {
  schema: periodQuerySchema,
  day: days,
  period: days,
  hasFees: true,
};
