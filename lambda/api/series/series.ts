import { MAX_DAYS_OF_HOURS, type UtcDay } from '../../../core/figures/calendar.ts';
import type { ChainReader } from '../../../core/store/table/table.ts';
import type { Columns, Dated } from '../formats.ts';
import type { QueryInterval, QuerySchema } from '../query.ts';
import type { HourlyDay } from './hours.ts';

/**
 * The rows that an endpoint serves. A row takes three steps: `read` returns the attributes of days, `rowsOf` makes JSON objects of
 * those of a day or a period, and `columns` the cells of CSV. Each series has a file of its own, because a function builds all schemas of its
 * bundle when it starts.
 */
export interface Series<Day extends Dated, Row extends Dated> {
  /** Reads the final days from `first` to `last`, both included, ascending, without those that have no row. */
  readonly read: (store: ChainReader, first: UtcDay, last: UtcDay) => Promise<readonly Day[]>;
  /**
   * @param date the day, or the first day of the period
   * @param days the day, or all days of the period since the chain's first, ascending
   */
  readonly rowsOf: (date: UtcDay, days: readonly Day[]) => readonly Row[];
  readonly columns: Columns<Row>;
  /** The most days that a cache adds up from several requests, unless one request wants more; no limit by default. */
  readonly maxCachedDays?: number;
}

/** Returns the series of hours that corresponds to one of days: an hour has the same attributes. */
export const hourly = <Day extends Dated, Row extends Dated>(
  { rowsOf, columns }: Omit<Series<Day, Row>, 'read'>,
  read: (store: ChainReader, first: UtcDay, last: UtcDay) => Promise<readonly HourlyDay<Omit<Day, 'date'>>[]>,
): Series<HourlyDay<Omit<Day, 'date'>>, Row> => ({
  columns,
  read,
  // A request for one end of a chain's history must not read all of it.
  maxCachedDays: 2 * MAX_DAYS_OF_HOURS,
  rowsOf: (_, days) =>
    days.flatMap(({ hours }) => hours.flatMap((hour) => rowsOf(hour.date, [hour as Day & Dated]))),
});

/** Any series, where its types do not matter. */
// biome-ignore lint/suspicious/noExplicitAny: no other type accepts the functions of all series
export type AnySeries = Series<any, any>;

/** The series of an endpoint, by the interval of a query. */
export interface SeriesByInterval {
  readonly day: AnySeries;
  /** Weeks to years. */
  readonly period: AnySeries;
  /** Absent where there are no hours. */
  readonly hour?: AnySeries;
  /** The input of a request. */
  readonly schema: QuerySchema;
  /** The series of days and periods for requests that choose dollars; absent where other rows have them. */
  readonly inDollars?: AnySeries;
  /** True if rows have fees, whose coin a header names. */
  readonly hasFees?: true;
  /** True if no row shows its evidence, so that a header counts the archived days. */
  readonly hidesEvidence?: true;
}

export function seriesOf(
  { day, period, hour = day, inDollars }: SeriesByInterval,
  interval: QueryInterval,
  fields = '',
): AnySeries {
  if (interval === 'hour') return hour;
  if (inDollars && fields.split(',').includes('fees_usd')) return inDollars;
  return interval === 'day' ? day : period;
}
