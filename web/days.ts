import type { ChainName } from '../lambda/chains/chains.ts';
import { addDays, countDays, type UtcDay } from '../lambda/chains/utc-day.ts';
import type { ChainSeries } from './api-client.ts';
import { type MetricName, unitOf } from './metrics.ts';

/** One day of several chains. */
export interface Day {
  readonly date: UtcDay;
  /** One exact value per chain, in the order of the chains; undefined, which is not 0, where no figure is final. */
  readonly values: readonly (string | undefined)[];
}

/** Joins series by day. Returns the days on which at least one chain has a figure, ascending. */
export function joinDays(series: readonly Pick<ChainSeries, 'rows'>[]): Day[] {
  const values = series.map(({ rows }) => new Map(rows.map(({ date, value }) => [date, value])));
  const dates = new Set(series.flatMap(({ rows }) => rows.map(({ date }) => date)));
  return [...dates].toSorted().map((date) => ({ date, values: values.map((of) => of.get(date)) }));
}

/** Returns every day from the first to the last, with no values on days that were missing. */
export function fillGaps(days: readonly Day[]): Day[] {
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  if (!first || !last) return [];
  const byDate = new Map(days.map((day) => [day.date, day]));
  return Array.from({ length: countDays(first, last) }, (_, index) => {
    const date = addDays(first, index);
    return byDate.get(date) ?? { date, values: [] };
  });
}

/** The values of a line as the nearest floating-point numbers; null is a gap. */
export type Points = readonly (number | null)[];

/** Returns the indexes of the points that are no gaps. */
export const definedIndexes = (points: ArrayLike<number | null | undefined>): number[] =>
  Array.from(points, (point, index) => (point == null ? -1 : index)).filter((index) => index >= 0);

/** Returns the indexes of the points between two gaps, which no line connects. */
export function isolatedIndexes(points: ArrayLike<number | null | undefined>): number[] {
  const isDefined = (index: number) => points[index] != null;
  return definedIndexes(points).filter((index) => !isDefined(index - 1) && !isDefined(index + 1));
}

export const toPoints = (days: readonly Day[], column: number): Points =>
  days.map(({ values }) => {
    const value = values[column];
    return value === undefined ? null : Number(value);
  });

/** Returns, for each day, the mean of it and the six days before; null unless all seven have a figure. */
export const weekAverage = (points: Points): Points =>
  points.map((_, index) => {
    const week = points.slice(Math.max(0, index - 6), index + 1).filter((one) => one !== null);
    return week.length === 7 ? week.reduce((sum, one) => sum + one, 0) / 7 : null;
  });

/** Replaces zeros by gaps, for a logarithmic scale. */
export const withoutZeros = (points: Points): Points => points.map((point) => (point ? point : null));

/**
 * Formats days as CSV (RFC 4180). For one chain the text equals that of the API; for several there is one column per chain,
 * empty where no figure is final.
 */
export function toCsv(metric: MetricName, chains: readonly ChainName[], days: readonly Day[]): string {
  const unit = (chain: ChainName) => (metric === 'fees' ? `_${unitOf(metric, chain)}` : '');
  const columns = chains.length === 1 ? [metric] : chains.map((chain) => `${chain}_${metric}${unit(chain)}`);
  const rows = days.map(({ date, values }) => [date, ...values]);
  return [['date', ...columns], ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
