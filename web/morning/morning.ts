import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, startOfPeriod, type UtcDay } from '../../core/figures/calendar.ts';
import type { DayRow } from '../data/api-client.ts';
import { averageFeeOf } from '../day/why-day.ts';
import { type Amount, changeFrom, sumAmounts } from '../model/amounts.ts';
import { amountOf } from '../model/figures.ts';

/** The figures by which the morning view compares chains. */
export const morningFigures = {
  fees: 'Fees',
  transactions: 'Transactions',
  average_fee: 'Fee per transaction',
} as const;
export type MorningFigure = keyof typeof morningFigures;

/** The days of a chain, ascending. */
export interface MorningChain {
  readonly chain: ChainName;
  readonly rows: readonly DayRow[];
}

/** Some days together, against those before them. */
export interface Span {
  /** Mean of a day. */
  readonly mean: Amount | undefined;
  /** Days that have a figure. */
  readonly have: number;
  readonly of: number;
  /** Change as a fraction against as many days before; undefined unless both have all of theirs. */
  readonly change: number | undefined;
}

/** The latest days of one chain. A mean is of the days that have a figure; compared are only whole spans. */
export interface MorningRow {
  readonly chain: ChainName;
  /** `USD`, a coin, or `transactions`. */
  readonly unit: string;
  /** Place among the chains of the same unit by the mean of 30 days; absent where no other chain has that unit. */
  readonly place?: number;
  readonly yesterday: Span;
  readonly week: Span;
  readonly month: Span;
  /** From the first day of the month to yesterday; no mean, but a sum, and compared with nothing. */
  readonly toDate: { readonly sum: Amount | undefined; readonly have: number; readonly of: number };
  /** The last 30 days against the same days a year before. */
  readonly year: number | undefined;
  /** Of the last 30 days; undefined where a day has no figure. */
  readonly line: readonly (Amount | undefined)[];
}

/** Days to load before today: 30, and the same a year before. */
export const MORNING_DAYS = 395;
const YEAR = 365;
const MONTH = 30;
const WEEK = 7;

/** Summarizes each chain up to yesterday, and ranks those that have the same unit. Chains of different coins are never ranked together. */
export function morningRows(
  chains: readonly MorningChain[],
  figure: MorningFigure,
  today: UtcDay,
): readonly MorningRow[] {
  const yesterday = addDays(today, -1);
  const inDollars = figure !== 'transactions' && hasDollars(chains, yesterday);
  const rows = chains.map((one) => {
    const unit = figure === 'transactions' ? 'transactions' : inDollars ? 'USD' : chainOf(one.chain).coin;
    return summarize(one, unit, (row) => figureOf(row, figure, inDollars), today);
  });
  return [...Map.groupBy(rows, ({ unit }) => unit).values()].flatMap((group) =>
    group
      .toSorted((a, b) => compare(b.month.mean, a.month.mean))
      .map((row, index) =>
        group.length > 1 && row.month.mean !== undefined ? { ...row, place: index + 1 } : row,
      ),
  );
}

const compare = (a: Amount = -1n, b: Amount = -1n): number => (a === b ? 0 : a < b ? -1 : 1);

/** Returns whether each chain that has figures has them in dollars on each of the last 30 days. */
const hasDollars = (chains: readonly MorningChain[], yesterday: UtcDay): boolean => {
  const rows = chains.flatMap(({ rows }) => rows.filter(({ date }) => date > addDays(yesterday, -MONTH)));
  return rows.length > 0 && rows.every(({ fees_usd }) => fees_usd !== undefined);
};

function figureOf(row: DayRow, figure: MorningFigure, inDollars: boolean): Amount | undefined {
  if (figure === 'transactions') return amountOf(row, 'transaction_count');
  const fees = inDollars ? 'fees_usd' : 'fees';
  return figure === 'fees' ? amountOf(row, fees) : averageFeeOf(row, fees);
}

function summarize(
  { chain, rows }: MorningChain,
  unit: string,
  of: (row: DayRow) => Amount | undefined,
  today: UtcDay,
): MorningRow {
  const byDate = new Map(rows.map((row) => [row.date, of(row)]));
  /** Figures of `days` days that end `ago` days before today. */
  const last = (days: number, ago = 0) =>
    Array.from({ length: days }, (_, index) => byDate.get(addDays(today, index - days - ago)));
  const span = (days: number): Span => spanOf(last(days), last(days, days));
  const first = startOfPeriod('month', addDays(today, -1));
  const days = Array.from({ length: 31 }, (_, index) => addDays(first, index)).filter((day) => day < today);
  const known = days.map((day) => byDate.get(day)).filter((amount) => amount !== undefined);
  return {
    chain,
    unit,
    yesterday: span(1),
    week: span(WEEK),
    month: span(MONTH),
    toDate: { sum: known.length > 0 ? sumAmounts(known) : undefined, have: known.length, of: days.length },
    year: spanOf(last(MONTH), last(MONTH, YEAR)).change,
    line: last(MONTH),
  };
}

function spanOf(days: readonly (Amount | undefined)[], before: readonly (Amount | undefined)[]): Span {
  const mean = meanOf(days);
  const earlier = meanOf(before);
  const isWhole = [...days, ...before].every((amount) => amount !== undefined);
  return {
    mean,
    have: days.filter((amount) => amount !== undefined).length,
    of: days.length,
    change: isWhole && mean !== undefined && earlier !== undefined ? changeFrom(earlier, mean) : undefined,
  };
}

function meanOf(days: readonly (Amount | undefined)[]): Amount | undefined {
  const known = days.filter((amount) => amount !== undefined);
  return known.length === 0 ? undefined : sumAmounts(known) / BigInt(known.length);
}
