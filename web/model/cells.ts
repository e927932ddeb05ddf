import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, countDays, earlier, later, type UtcDay } from '../../core/figures/calendar.ts';
import type { StatusOfChain } from '../data/api-client.ts';
import type { DayRow, RunningRow } from '../data/rows.ts';
import { type Amount, sumAmounts } from './amounts.ts';
import { isSum } from './figures.ts';
import { firstDayIn, inDays } from './periods.ts';
import type { View } from './view.ts';

export interface ChainSource {
  readonly chain: ChainName;
  /** Hours, days or periods of the view, ascending. */
  readonly rows: readonly DayRow[];
  /** The days of the range; of a long range of periods, only those at its end. */
  readonly days: readonly DayRow[];
  readonly running?: RunningRow | undefined;
  /** Hours of yesterday, which those of the running day are compared with. */
  readonly yesterday?: readonly DayRow[] | undefined;
  readonly status: Pick<StatusOfChain, 'first_final_day' | 'last_final_day'> | undefined;
}

/**
 * The reasons for which a date has no figure:
 * - `before`: the chain did not exist yet
 * - `outside`: the period has days outside of the range, or is not over, so nobody expects a figure
 * - `unread`: the days are before the first final day of this service
 * - `missing`: the days are between the first and the last final day of this service, and at least one of them is not final
 * - `pending`: at least one of the days is after the last final day
 * - `lacking`: the days are final, but their blocks do not state the figure, or an import brought no hours
 */
export type Absence = 'before' | 'outside' | 'unread' | 'missing' | 'pending' | 'lacking';

/** A chain on a date: its figure, or the reason for which there is none. A period that lacks days may have the sum of the others. */
export type Cell =
  | { readonly state: 'figure'; readonly amount: Amount; readonly row: DayRow }
  | { readonly state: Absence; readonly part?: Part };

/** The sum of some days of a period. It is in no total, and is compared with nothing. */
export interface Part {
  readonly amount: Amount;
  readonly have: number;
  /** Days of the period, since the chain's first. */
  readonly of: number;
}

export const amountIn = (cell: Cell | undefined): Amount | undefined =>
  cell?.state === 'figure' ? cell.amount : undefined;

export const partIn = (cell: Cell | undefined): Part | undefined =>
  cell && cell.state !== 'figure' ? cell.part : undefined;

export const isRestated = (cell: Cell): boolean => cell.state === 'figure' && cell.row.revision > 1;

/** Returns true if the chain should have a figure that it does not have. */
export const isGap = ({ state }: Cell): boolean =>
  state === 'missing' || state === 'pending' || state === 'lacking';

/** An hour, a day or a period by its date, with its first and last day. */
interface DatedPeriod {
  readonly date: string;
  readonly start: UtcDay;
  readonly last: UtcDay;
}

export type FigureOf = (row: DayRow) => Amount | undefined;

/** Returns the first day of which this service has a figure of a chain; undefined if none is known. */
export const firstFinalDay = ({ status, rows, days }: ChainSource): UtcDay | undefined =>
  status?.first_final_day ??
  [rows[0], days[0]].flatMap((row) => (row ? [firstDayIn(row.date)] : [])).toSorted()[0];

/** Returns a function that decides about each date of a chain. */
export function cellsOf(
  source: ChainSource,
  view: View,
  figureOf: FigureOf,
  today: UtcDay,
): (period: DatedPeriod) => Cell {
  const rows = new Map(source.rows.map((row) => [row.date, row]));
  const days = new Map(source.days.map((row) => [row.date, row]));
  const absenceOf = absenceIn(source, view, today, (day) => days.has(day));
  return (period) => {
    const row = rows.get(period.date);
    const state = absenceOf(period, row !== undefined);
    const amount = row && figureOf(row);
    const isWhole = state !== 'before' && state !== 'outside';
    if (row && amount !== undefined && isWhole) return { state: 'figure', amount, row };
    const part =
      inDays(view.interval) === 'day' || !isSum(view.figure)
        ? undefined
        : partOf(period, source, view, figureOf);
    return part ? { state, part } : { state };
  };
}

/** Decides why a date would have no figure. */
function absenceIn(source: ChainSource, view: View, today: UtcDay, isFinal: (day: UtcDay) => boolean) {
  const { firstDay } = chainOf(source.chain);
  const first = firstFinalDay(source);
  const last = source.status?.last_final_day ?? undefined;
  const end = earlier(view.end_date, addDays(today, -1));
  return ({ start, last: lastDay }: DatedPeriod, hasRow: boolean): Absence => {
    const from = later(start, firstDay);
    if (lastDay < firstDay) return 'before';
    if (from < view.start_date || lastDay > end) return 'outside';
    if (hasRow || (view.interval === 'hour' && isFinal(lastDay))) return 'lacking';
    if (first === undefined || last === undefined || from < first) return 'unread';
    return lastDay > last ? 'pending' : 'missing';
  };
}

/** Sums the days of a period that have the figure. The range may cut off days at its start, which are not loaded. */
function partOf({ start, last }: DatedPeriod, { chain, days }: ChainSource, view: View, figureOf: FigureOf) {
  const first = later(start, chainOf(chain).firstDay);
  if (first < view.start_date) return undefined;
  const known = days
    .filter((row) => row.date >= first && row.date <= earlier(last, view.end_date))
    .flatMap((row) => figureOf(row) ?? []);
  return known.length === 0
    ? undefined
    : { amount: sumAmounts(known), have: known.length, of: countDays(first, last) };
}
