import type { ChainName } from '../core/chains/chains.ts';
import { addDays, type UtcDay } from '../core/figures/calendar.ts';
import { type Amount, changeFrom, sumAmounts } from './amounts.ts';
import type { DayRow } from './api-client.ts';
import { amountOf, type Figure, isSum } from './figures.ts';

/** A figure and the date of its hour, day or period. */
interface DatedAmount {
  readonly date: UtcDay;
  readonly amount: Amount;
}

/** The latest final day of a range, with its change as a fraction against earlier days; undefined where those have no figure. */
export interface Latest extends DatedAmount {
  readonly row: DayRow;
  readonly changes: Readonly<Record<'day' | 'week' | 'month', number | undefined>>;
}

/** @param rows days, not periods, ascending */
export function latestOf(rows: readonly DayRow[], figure: Figure): Latest | undefined {
  const row = rows.findLast((one) => one[figure] !== undefined);
  const amount = row && amountOf(row, figure);
  if (!row || amount === undefined) return undefined;
  const change = (days: number) => {
    const earlierRow = rows.findLast(({ date }) => date === addDays(row.date, -days));
    const before = earlierRow && amountOf(earlierRow, figure);
    return before === undefined ? undefined : changeFrom(before, amount);
  };
  return { date: row.date, amount, row, changes: { day: change(1), week: change(7), month: change(30) } };
}

/** The sum and the highest figure of a range. */
export interface Total {
  readonly sum: Amount;
  /** Number of hours, days or periods. */
  readonly count: number;
  readonly peak: DatedAmount;
}

/** Sums the rows that have a figure, if it has a sum. */
export function totalOf(rows: readonly DayRow[], figure: Figure): Total | undefined {
  const amounts = rows.flatMap((row) => {
    const amount = amountOf(row, figure);
    return amount === undefined ? [] : [{ date: row.date, amount }];
  });
  const [first] = amounts;
  if (!first || !isSum(figure)) return undefined;
  const peak = amounts.reduce((highest, one) => (one.amount > highest.amount ? one : highest), first);
  return { sum: sumAmounts(amounts.map(({ amount }) => amount)), count: amounts.length, peak };
}

/** A chain of the view with the figures of its card. */
export interface Card {
  readonly chain: ChainName;
  readonly latest: Latest | undefined;
  readonly total: Total | undefined;
}
