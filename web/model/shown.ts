import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, earlier, later, type UtcDay } from '../../core/figures/calendar.ts';
import {
  amountIn,
  type Cell,
  type ChainSource,
  cellsOf,
  type FigureOf,
  firstFinalDay,
  partIn,
} from './cells.ts';
import { amountOf, hasFigure, isSum, unitOf } from './figures.ts';
import { hoursOf, inDays, lastDayIn, periodsBetween } from './periods.ts';
import { type Running, runningOf } from './running.ts';
import { type Ranked, rankedBy, totalOf } from './sums.ts';
import { isStacked, type View } from './view.ts';

export interface ShownChain extends ReturnType<typeof chainShown> {
  readonly running: Running | undefined;
  readonly rank?: Ranked;
}

/** Everything that is said and drawn about a view follows from this. */
export interface Shown {
  readonly view: View;
  /** Each hour, day or first day of a period, ascending, without gaps. */
  readonly dates: readonly string[];
  /** In the order of the view. */
  readonly chains: readonly ShownChain[];
  /** Chains of the view that have no such figure, by their design. */
  readonly without: readonly ChainName[];
  /** Drawn after the dates; absent where no chain has a figure of it, or a stack or a comparison would lack the rest of it. */
  readonly runningDay?: UtcDay;
  /** Sums of few periods are bars, because a sum is of all its days and not of its first. */
  readonly form: 'lines' | 'bars';
}

/** More bars than this are too thin to see. */
const MAX_BARS = 240;

/**
 * Builds the model of a view.
 * @param view as it is drawn; its days may be narrower than those of the sources
 * @param figureOf returns the figure that is shown; by default the one that the view names
 */
export function shownOf(
  view: View,
  sources: readonly ChainSource[],
  today: UtcDay,
  figureOf: FigureOf = (row) => amountOf(row, view.figure),
): Shown {
  const deciders = sources.map((source) => cellsOf(source, view, figureOf, today));
  const all = periodsOf(view, sources, today).map((period) => ({
    date: period.date,
    cells: deciders.map((decide) => decide(period)),
  }));
  const isExpected = (cell: Cell) =>
    (cell.state !== 'before' && cell.state !== 'outside') || partIn(cell) !== undefined;
  const columns = all.filter(({ cells }) => cells.some(isExpected));
  const dates = columns.map(({ date }) => date);
  const chains = sources.map((source, index) => {
    const cells = columns.map((column) => column.cells[index] as Cell);
    return { ...chainShown(source, cells, dates, view), running: runningOf(source, view, today) };
  });
  const isSummed = inDays(view.interval) !== 'day' && isSum(view.figure) && view.mode !== 'indexed';
  const count = columns.length * (isStacked(view.mode) ? 1 : sources.length);
  return {
    view,
    dates,
    chains: view.figure === 'fees_usd' ? rankedBy(chains) : chains,
    without: view.chains.filter((chain) => !hasFigure(chain, view.figure)),
    ...(hasRunningDay(chains, view) && dates.length > 0 && { runningDay: today }),
    form: isSummed && count <= MAX_BARS ? 'bars' : 'lines',
  };
}

const hasRunningDay = (chains: readonly { readonly running: Running | undefined }[], { mode }: View) =>
  (mode === 'lines' && chains.some(({ running }) => running)) ||
  (mode === 'stacked' && chains.every(({ running }) => running));

/** Returns the dates that are drawn: those of a view, and the running day. */
export const drawnDates = ({ dates, runningDay }: Shown): readonly string[] =>
  runningDay === undefined ? dates : [...dates, runningDay];

/** Returns all hours, days or periods of a range, from the first figure of this service on. */
function periodsOf({ interval, start_date, end_date }: View, sources: readonly ChainSource[], today: UtcDay) {
  const firsts = sources.map((source) =>
    later(firstFinalDay(source) ?? start_date, chainOf(source.chain).firstDay),
  );
  const first = later(start_date, firsts.toSorted()[0] ?? start_date);
  const starts = periodsBetween(first, earlier(end_date, addDays(today, -1)), inDays(interval));
  return starts.flatMap((start) => {
    const last = interval === 'day' ? start : lastDayIn(start, interval);
    return (interval === 'hour' ? hoursOf(start) : [start]).map((date) => ({ date, start, last }));
  });
}

/** @param cells one for each date */
function chainShown(source: ChainSource, cells: readonly Cell[], dates: readonly string[], view: View) {
  const { chain } = source;
  const coins = cells.map((cell) => (cell.state === 'figure' ? amountOf(cell.row, 'fees') : undefined));
  return {
    chain,
    /** A coin, `USD`, or what is counted. */
    unit: unitOf(view.figure, chain),
    cells,
    firstFinalDay: firstFinalDay(source),
    total: isSum(view.figure) ? totalOf(cells.map(amountIn), dates) : undefined,
    /** The same dates in the coin of the chain; only beside dollars. */
    ...(view.figure === 'fees_usd' && { coins: totalOf(coins, dates)?.sum ?? 0n }),
  };
}

/** Returns whether there is a figure, or a part of one. */
export const hasFigures = ({ chains }: Shown): boolean =>
  chains.some(({ cells }) => cells.some((cell) => amountIn(cell) !== undefined || partIn(cell)));

/** Joins neighboring cells that meet a condition. Returns the first and last index of each stretch. */
export function stretchesOf(cells: readonly Cell[], is: (cell: Cell, index: number) => boolean) {
  const found: { first: number; last: number }[] = [];
  for (const [index, cell] of cells.entries()) {
    if (!is(cell, index)) continue;
    const current = found.at(-1);
    if (current?.last === index - 1) current.last = index;
    else found.push({ first: index, last: index });
  }
  return found;
}
