import { type ChainName, chainOf } from '../core/chains/chains.ts';
import type { UtcDay } from '../core/figures/calendar.ts';
import { type Amount, sumAmounts, toNumber } from './amounts.ts';
import type { DayRow } from './api-client.ts';
import { amountOf, isSum, type RowFigure, unitOf } from './figures.ts';
import { lastDayIn } from './periods.ts';
import { isStacked, type Mode, type View } from './view.ts';

/** A chain of a view that was loaded. */
export interface PlottedSeries {
  readonly chain: ChainName;
  /** Hours, days or periods that have the figure. */
  readonly drawn: readonly DayRow[];
  /** First day of which a figure is expected. */
  readonly firstDay: UtcDay;
}

/** Points of a line as the nearest floating-point numbers; null is a gap. */
export type Points = readonly (number | null)[];

type Band = readonly [low: Points, high: Points];

/** One chain in a panel. All lists have an element for each date of the plot. */
export interface Line {
  readonly chain: ChainName;
  /** First day of which a figure is expected. */
  readonly firstDay: UtcDay;
  /** Undefined, which is not 0, where no figure is final. */
  readonly amounts: readonly (Amount | undefined)[];
  readonly averages?: readonly (Amount | undefined)[];
  readonly points: Points;
  /** Lower edge of a stacked area; a line has none. */
  readonly floor?: Points;
  /** Edges of the band that holds the fees of most transactions, around a typical fee. */
  readonly band?: Band;
  /** Drawn faintly behind an average. */
  readonly faint?: Points;
  readonly isRestated: readonly boolean[];
}

export const chainsIn = (lines: readonly Line[]): readonly ChainName[] => lines.map(({ chain }) => chain);

/** Lines that share an axis. */
export interface Panel {
  /** Unit of the axis: a coin, `transactions`, or the unit of the mode. */
  readonly unit: string;
  readonly lines: readonly Line[];
}

/** Everything that the charts draw. */
export interface Plot {
  /** Date of each hour, day or period, without gaps. */
  readonly dates: readonly string[];
  readonly panels: readonly Panel[];
}

type Options = Pick<View, 'figure' | 'interval' | 'mode' | 'isLog' | 'hasAverage'>;

/** Returns the panels of a view: one for each unit, because different coins share an axis only when indexed. */
export function plotOf(series: readonly PlottedSeries[], dates: readonly string[], options: Options): Plot {
  const { figure, interval, mode, hasAverage } = options;
  const lines = series.map(({ chain, drawn, firstDay }) => {
    const byDate = new Map(drawn.map((row) => [row.date, row]));
    const rows = dates.map((date) => byDate.get(date));
    const amountsOf = (of: RowFigure) => rows.map((row) => row && amountOf(row, of));
    const edgeOf = (of: RowFigure) => amountsOf(of).map(toPoint);
    const amounts = amountsOf(figure);
    return {
      chain,
      firstDay,
      amounts,
      isRestated: rows.map((row) => row !== undefined && row.revision > 1),
      ...(hasAverage && { averages: weekAverages(amounts) }),
      ...(!isSum(figure) && { band: [edgeOf('p10_fee'), edgeOf('p90_fee')] satisfies Band }),
    };
  });
  const groups = Map.groupBy(lines, ({ chain }) =>
    mode === 'indexed' ? 'first figure = 100' : unitOf(figure, chain),
  );
  const isStarted = (chain: ChainName, index: number) =>
    lastDayIn(dates[index] ?? '', interval) >= chainOf(chain).firstDay;
  const panels = Array.from(groups, ([unit, group]) => ({
    unit: mode === 'share' ? `% of ${unit}` : unit,
    lines: drawnLines(group, options, isStarted),
  }));
  return { dates, panels };
}

type BareLine = Pick<Line, 'chain' | 'firstDay' | 'amounts' | 'averages' | 'isRestated' | 'band'>;
type IsStarted = (chain: ChainName, index: number) => boolean;

/** Adds the points of a mode to lines of one unit. */
function drawnLines(lines: readonly BareLine[], { mode, isLog }: Options, isStarted: IsStarted): Line[] {
  const toLine = (
    { band, ...line }: BareLine,
    toPoints: (amounts: readonly (Amount | undefined)[]) => Points,
  ): Line => ({
    ...line,
    points: toPoints(line.averages ?? line.amounts),
    ...(line.averages && { faint: toPoints(line.amounts) }),
    // Bands of several chains would hide each other.
    ...(band && mode === 'lines' && lines.length === 1 && { band }),
  });
  if (isStacked(mode)) return stack(lines, mode, isStarted);
  const scale = isLog ? withoutZeros : (points: Points) => points;
  if (mode === 'lines') return lines.map((line) => toLine(line, (amounts) => scale(amounts.map(toPoint))));
  return lines.map((line) => {
    const base = indexBase(line.averages ?? line.amounts);
    return toLine(line, (amounts) =>
      scale(amounts.map(toPoint).map((point) => point && (100 * point) / base)),
    );
  });
}

const toPoint = (amount: Amount | undefined): number | null =>
  amount === undefined ? null : toNumber(amount);

/** Returns the first figure that is not 0. */
const indexBase = (amounts: readonly (Amount | undefined)[]): number => toPoint(amounts.find(Boolean)) ?? 1;

/** Replaces zeros by gaps, for a logarithmic scale. */
const withoutZeros = (points: Points): Points => points.map((point) => point || null);

/**
 * Stacks lines on each other, the first at the bottom. Where one of them has no figure, all have a gap, because the sum would be
 * too low; before a chain's first day it counts as 0.
 */
function stack(lines: readonly BareLine[], mode: Mode, isStarted: IsStarted): Line[] {
  const columns = lines.map(({ chain, amounts, averages = amounts }) =>
    averages.map((amount, index) => amount ?? (isStarted(chain, index) ? undefined : 0n)),
  );
  const at = (index: number, count: number): Amount | undefined => {
    const amounts = columns.map((column) => column[index]);
    return amounts.includes(undefined)
      ? undefined
      : sumAmounts(amounts.slice(0, count).filter((one) => one !== undefined));
  };
  const edge = (count: number): Points =>
    (columns[0] ?? []).map((_, index) => {
      const [sum, total] = [toPoint(at(index, count)), toPoint(at(index, columns.length))];
      if (sum === null || total === null || mode === 'stacked') return sum;
      return total === 0 ? 0 : (100 * sum) / total;
    });
  return lines.map((line, order) => ({ ...line, floor: edge(order), points: edge(order + 1) }));
}

/** Returns, for each day, the mean of it and the six days before, in whole units; undefined unless all seven have a figure. */
export const weekAverages = (amounts: readonly (Amount | undefined)[]): (Amount | undefined)[] =>
  amounts.map((_, index) => {
    const week = amounts.slice(Math.max(0, index - 6), index + 1).filter((one) => one !== undefined);
    return week.length === 7 ? sumAmounts(week) / 7n : undefined;
  });
