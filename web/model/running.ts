import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import type { DayRow, RunningRow } from '../data/rows.ts';
import { type Amount, changeFrom, sumAmounts } from './amounts.ts';
import type { ChainSource } from './cells.ts';
import { amountOf, type Figure } from './figures.ts';
import type { View } from './view.ts';

/* The running day. It is kept apart from the dates of a view, so that no total, average, peak, table or file has a part of a day. */

export interface Running {
  readonly amount: Amount;
  /** Time of the last block that is counted, in UTC: `14:37`. */
  readonly time: string;
  readonly change?: Change;
}

/** The hours that are over against the same hours of yesterday. */
interface Change {
  /** A fraction: 0.5 for a half more. */
  readonly by: number;
  /** The end of the last of these hours: `14:00`. */
  readonly until: string;
}

/** Returns true for a view that the running day continues. Its dollars are known only after the day. */
export const isContinued = ({ interval, figure, end_date }: View, today: UtcDay): boolean =>
  interval === 'day' && figure !== 'fees_usd' && end_date >= addDays(today, -1);

/** Returns the figure of the running day; undefined while nobody knows it. */
export function runningOf(
  { running, yesterday = [] }: Pick<ChainSource, 'running' | 'yesterday'>,
  view: View,
  today: UtcDay,
): Running | undefined {
  if (!running?.through || running.date !== today || !isContinued(view, today)) return undefined;
  const amount = amountOf(running, view.figure);
  if (amount === undefined) return undefined;
  const change = changeOf(running.hours ?? [], yesterday, view.figure);
  return { amount, time: running.through.time.slice(11, 16), ...(change && { change }) };
}

/** Compares whole hours; undefined unless all of them are known of both days. */
function changeOf(
  over: NonNullable<RunningRow['hours']>,
  yesterday: readonly DayRow[],
  figure: Figure,
): Change | undefined {
  const before = over.flatMap(({ date }) => {
    const hour = `${addDays(date.slice(0, 10), -1)}${date.slice(10)}`;
    const row = yesterday.find((one) => one.date === hour);
    return (row && amountOf(row, figure)) ?? [];
  });
  const after = over.flatMap((hour) => amountOf(hour, figure) ?? []);
  if (before.length < over.length || after.length < over.length) return undefined;
  const by = changeFrom(sumAmounts(before), sumAmounts(after));
  return by === undefined ? undefined : { by, until: `${String(over.length).padStart(2, '0')}:00` };
}

/** Says until when the running day is counted; of several chains, from the first to the last of them. */
export function soFarText(all: readonly Pick<Running, 'time'>[]): string {
  const times = all.map(({ time }) => time).toSorted();
  const [first, last] = [times[0], times.at(-1)];
  return `so far, ${first === last ? first : `${first} to ${last}`} UTC`;
}

/** Says how the hours compare: `12% more than yesterday until 14:00`. */
export function changeText({ by, until }: Change): string {
  const percent = Math.abs(100 * by);
  const text = percent < 10 ? percent.toFixed(1) : Math.round(percent).toLocaleString('en');
  const than = `yesterday until ${until}`;
  return text === '0.0' ? `as much as ${than}` : `${text}% ${by > 0 ? 'more' : 'less'} than ${than}`;
}
