import { amountBounds } from '../../../core/figures/amounts.ts';
import { type FeeCounts, sortedCounts, sumFeeCounts } from '../../../core/figures/fee-buckets.ts';
import { feeCountsSchema, integer } from '../../../core/store/attributes/shared-attributes.ts';
import { dayReader, readDetail } from '../../../core/store/days/day-reader.ts';
import { type Dated, plainColumns } from '../formats.ts';
import type { Series, SeriesByInterval } from './series.ts';

interface CountedDay extends Dated {
  readonly feeCounts: FeeCounts;
}

/** A bucket with at least one transaction. */
interface BucketRow extends Dated {
  /** The fees in the bucket, as exact decimals of the chain's coin: at least `from`, less than `to`. */
  readonly from: string;
  readonly to: string;
  readonly transaction_count: number;
}

const readRevisions = dayReader({ revision: integer });

const days: Series<CountedDay, BucketRow> = {
  read: async (store, first, last) => {
    const [revisions, countsOf] = await Promise.all([
      readRevisions(store, first, last),
      readDetail(store, { first, last }, 'fee_counts', feeCountsSchema),
    ]);
    return revisions.flatMap(({ date, revision }) => {
      const feeCounts = countsOf({ day: date, revision });
      return feeCounts ? [{ date, feeCounts }] : [];
    });
  },
  rowsOf: (date, counted) =>
    sortedCounts(sumFeeCounts(counted.map(({ feeCounts }) => feeCounts))).map(([bucket, count]) => ({
      date,
      ...amountBounds(bucket),
      transaction_count: count,
    })),
  columns: plainColumns('date', 'from', 'to', 'transaction_count'),
};

/** The number of transactions by what they paid. */
export const distribution: SeriesByInterval = { day: days, period: days, hasFees: true };
