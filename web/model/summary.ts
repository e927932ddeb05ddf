import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, countDays, endOfPeriod, later, type UtcDay } from '../../core/figures/calendar.ts';
import type { DayRow } from '../data/api-client.ts';
import { type Amount, changeFrom, sumAmounts, toNumber } from './amounts.ts';
import { amountOf, type Figure, isSum } from './figures.ts';
import { inDays, periodsBetween } from './periods.ts';
import type { View } from './view.ts';

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

/** A period that lacks days, with the sum of those that it has. It is in no total, and is compared with nothing. */
export interface PartialPeriod extends DatedAmount {
  /** Days that have the figure. */
  readonly have: number;
  /** Days of the period, since the chain's first. */
  readonly of: number;
}

/**
 * Sums the days of the periods of a range that lack some. The last one may still be running.
 * @param whole first days of the periods that have a figure
 */
export function partialPeriods(
  { chain, days, whole }: { chain: ChainName; days: readonly DayRow[]; whole: ReadonlySet<string> },
  { figure, interval, start_date, end_date }: View,
): readonly PartialPeriod[] {
  const period = inDays(interval);
  if (period === 'day' || !isSum(figure) || start_date > end_date) return [];
  return periodsBetween(start_date, end_date, period).flatMap((date) => {
    const last = endOfPeriod(period, date);
    const first = later(date, chainOf(chain).firstDay);
    const own = days.filter((row) => row.date >= first && row.date <= last && row[figure] !== undefined);
    // The start of the range cuts the first period off: its days before are not asked for.
    if (whole.has(date) || own.length === 0 || first < start_date) return [];
    const amount = sumAmounts(own.map((row) => amountOf(row, figure) ?? 0n));
    return [{ date, amount, have: own.length, of: countDays(first, last) }];
  });
}

/** A chain of the view with the figures of its card. */
export interface Card {
  readonly chain: ChainName;
  readonly latest: Latest | undefined;
  readonly total: Total | undefined;
  /** The same days in the coin of the chain; only beside dollars. */
  readonly coins?: Amount | undefined;
  /** Place among the chains by dollars a day, from 1, and share of all of them. A chain may lack days that others have. */
  readonly rank?: { readonly place: number; readonly share: number };
}

/** Ranks chains by their mean, the highest first. Those without a figure come last, and have no place. */
export function ranked(cards: readonly Card[]): readonly Card[] {
  const meanOf = ({ total }: Card) => (total ? toNumber(total.sum) / total.count : 0);
  const all = cards.reduce((sum, card) => sum + meanOf(card), 0);
  return cards
    .toSorted((a, b) => meanOf(b) - meanOf(a))
    .map((card, index) =>
      card.total && all > 0 ? { ...card, rank: { place: index + 1, share: meanOf(card) / all } } : card,
    );
}
