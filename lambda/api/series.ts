import type { Chain } from '../../core/chains/chains.ts';
import type { Interval, UtcDay } from '../../core/figures/calendar.ts';
import type { ChainReader } from '../../core/store/table.ts';
import type { Columns, Dated } from './formats.ts';

/**
 * The rows that an endpoint serves. A row takes three steps: `read` returns the attributes of days, `rowOfDay` or `rowOfPeriod` makes a
 * JSON object of them, and `columnsOf` the cells of CSV. Each series has a file of its own, because a function builds all schemas of its
 * bundle when it starts.
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

/** Returns the headers of a series with fees. */
export const feesHeaders = ({ coin }: Chain): Record<string, string> => ({ 'X-Fees-Currency': coin });
