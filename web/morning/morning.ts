import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, countDays, startOfPeriod, type UtcDay } from '../../core/figures/calendar.ts';
import type { ChainQuery } from '../data/api-client.ts';
import type { DayRow } from '../data/rows.ts';
import { type Amount, compareAmounts } from '../model/amounts.ts';
import { amountIn, type ChainSource } from '../model/cells.ts';
import { amountOf, averageFeeOf } from '../model/figures.ts';
import { shownOf } from '../model/shown.ts';
import { spanOf } from '../model/sums.ts';
import { parseView } from '../model/view.ts';

export const morningFigures = {
  fees: 'Fees',
  transactions: 'Transactions',
  average_fee: 'Fee per user transaction',
} as const;
export type MorningFigure = keyof typeof morningFigures;

export interface MorningRow extends ReturnType<typeof summarize> {
  /** Place among the chains of the same unit by the mean of 30 days; absent where no other chain has that unit. */
  readonly place?: number;
}

/** Days to load before today: 30, and the same a year before. */
const MORNING_DAYS = 395;
const YEAR = 365;
const MONTH = 30;

export const morningQuery = (chain: ChainName, today: UtcDay): ChainQuery => ({
  chain,
  start_date: addDays(today, -MORNING_DAYS),
  end_date: addDays(today, -1),
  interval: 'day',
  fields: ['date', 'fees', 'fees_usd', 'transaction_count', 'user_transaction_count', 'evidence', 'revision'],
});

/** Summarizes each chain up to yesterday, and ranks those that have the same unit. Chains of different coins are never ranked together. */
export function morningRows(
  sources: readonly ChainSource[],
  figure: MorningFigure,
  today: UtcDay,
): readonly MorningRow[] {
  const inDollars = figure !== 'transactions' && hasDollars(sources, today);
  const view = {
    ...parseView('', today).view,
    start_date: addDays(today, -MORNING_DAYS),
    end_date: addDays(today, -1),
  };
  const { chains, dates } = shownOf(view, sources, today, (row) => figureOf(row, figure, inDollars));
  const rows = chains.map(({ chain, cells }) => {
    const unit = figure === 'transactions' ? 'transactions' : inDollars ? 'USD' : chainOf(chain).coin;
    const amounts = new Map(dates.map((date, index) => [date, amountIn(cells[index])]));
    return summarize(chain, unit, (day) => amounts.get(day), today);
  });
  return [...Map.groupBy(rows, ({ unit }) => unit).values()].flatMap((group) =>
    group
      .toSorted((a, b) => compareAmounts(b.month.mean ?? -1n, a.month.mean ?? -1n))
      .map((row, index) =>
        group.length > 1 && row.month.mean !== undefined ? { ...row, place: index + 1 } : row,
      ),
  );
}

/** Returns whether each chain that has figures has them in dollars on each of the last 30 days. */
const hasDollars = (sources: readonly ChainSource[], today: UtcDay): boolean => {
  const rows = sources.flatMap(({ rows }) => rows.filter(({ date }) => date >= addDays(today, -MONTH)));
  return rows.length > 0 && rows.every(({ fees_usd }) => fees_usd !== undefined);
};

function figureOf(row: DayRow, figure: MorningFigure, inDollars: boolean): Amount | undefined {
  if (figure === 'transactions') return amountOf(row, 'transaction_count');
  const fees = inDollars ? 'fees_usd' : 'fees';
  return figure === 'fees' ? amountOf(row, fees) : averageFeeOf(row, fees);
}

/** Summarizes the latest days of one chain: means of the days that have a figure, and comparisons of whole spans. */
function summarize(
  chain: ChainName,
  unit: string,
  amountOn: (day: UtcDay) => Amount | undefined,
  today: UtcDay,
) {
  /** Figures of `days` days that end `ago` days before today. */
  const last = (days: number, ago = 0) =>
    Array.from({ length: days }, (_, index) => amountOn(addDays(today, index - days - ago)));
  const span = (days: number) => spanOf(last(days), last(days, days));
  const month = startOfPeriod('month', addDays(today, -1));
  return {
    chain,
    unit,
    yesterday: span(1),
    week: span(7),
    month: span(MONTH),
    /** From the first day of the month to yesterday. */
    toDate: spanOf(last(countDays(month, today) - 1)),
    /** The last 30 days, with their change against the same days a year before. */
    year: spanOf(last(MONTH), last(MONTH, YEAR)),
    line: last(MONTH),
  };
}
