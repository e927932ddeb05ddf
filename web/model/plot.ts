import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import type { DayRow } from '../data/api-client.ts';
import { type Amount, sumAmounts, toNumber } from './amounts.ts';
import { amountOf, isSum, type RowFigure, unitOf } from './figures.ts';
import type { PartialPeriod } from './summary.ts';
import { isStacked, type Mode, type View } from './view.ts';

/** A chain of a view that was loaded. */
export interface PlottedSeries {
  readonly chain: ChainName;
  /** Hours, days or periods that have the figure. */
  readonly drawn: readonly DayRow[];
  /** First day of which a figure is expected. */
  readonly firstDay: UtcDay;
  readonly partials?: readonly PartialPeriod[];
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
  /** Of periods that lack days: the sums of those that they have. */
  readonly partials?: readonly (PartialPeriod | undefined)[];
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
  const { figure, mode, isLog, hasAverage } = options;
  const lines = series.map(({ chain, drawn, firstDay, partials = [] }) => {
    // A part of a period is compared with nothing, and a logarithmic scale has no 0.
    const shown = partials.filter(({ amount }) => mode === 'lines' && !(isLog && amount === 0n));
    const partialsByDate = new Map(shown.map((one) => [one.date, one]));
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
      ...(shown.length > 0 && { partials: dates.map((date) => partialsByDate.get(date)) }),
      ...(hasAverage && { averages: weekAverages(amounts) }),
      ...(!isSum(figure) && { band: [edgeOf('p10_fee'), edgeOf('p90_fee')] satisfies Band }),
    };
  });
  const groups = Map.groupBy(lines, ({ chain }) =>
    mode === 'indexed' ? 'first common figure = 100' : unitOf(figure, chain),
  );
  const panels = Array.from(groups, ([unit, group]) => ({
    unit: mode === 'share' ? `% of ${unit}` : unit,
    lines: drawnLines(group, options),
  }));
  return { dates, panels };
}

type BareLine = Pick<
  Line,
  'chain' | 'firstDay' | 'amounts' | 'averages' | 'isRestated' | 'band' | 'partials'
>;

/** Adds the points of a mode to lines of one unit. */
function drawnLines(lines: readonly BareLine[], { mode, isLog }: Options): Line[] {
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
  if (isStacked(mode)) return stack(lines, mode);
  const scale = isLog ? withoutZeros : (points: Points) => points;
  if (mode === 'lines') return lines.map((line) => toLine(line, (amounts) => scale(amounts.map(toPoint))));
  const base = indexBase(lines.map(({ amounts, averages = amounts }) => averages));
  return lines.map((line) => {
    const hundred = toPoint((line.averages ?? line.amounts)[base]) ?? 1;
    return toLine(line, (amounts) =>
      scale(
        amounts.map(toPoint).map((point) => (base < 0 || point === null ? null : (100 * point) / hundred)),
      ),
    );
  });
}

const toPoint = (amount: Amount | undefined): number | null =>
  amount === undefined ? null : toNumber(amount);

/** Returns the first date on which every chain has a figure that is not 0; -1 if there is none, so that nothing can be compared. */
const indexBase = (columns: readonly (readonly (Amount | undefined)[])[]): number =>
  columns[0]?.findIndex((_, index) => columns.every((column) => column[index])) ?? -1;

/** Replaces zeros by gaps, for a logarithmic scale. */
const withoutZeros = (points: Points): Points => points.map((point) => point || null);

/**
 * Stacks lines on each other, the first at the bottom. A chain without a figure leaves a gap in its own area, which is marked below the
 * axis, and the others are stacked without it.
 */
function stack(lines: readonly BareLine[], mode: Mode): Line[] {
  const columns = lines.map(({ amounts, averages = amounts }) => averages);
  const sumAt = (index: number, count: number): number =>
    toNumber(sumAmounts(columns.slice(0, count).map((column) => column[index] ?? 0n)));
  const edge = (count: number, column: readonly (Amount | undefined)[] = []): Points =>
    column.map((amount, index) => {
      if (amount === undefined) return null;
      if (mode === 'stacked') return sumAt(index, count);
      const total = sumAt(index, columns.length);
      return total === 0 ? 0 : (100 * sumAt(index, count)) / total;
    });
  return lines.map((line, order) => ({
    ...line,
    floor: edge(order, columns[order]),
    points: edge(order + 1, columns[order]),
  }));
}

/** Returns, for each day, the mean of it and the six days before, in whole units; undefined unless all seven have a figure. */
export const weekAverages = (amounts: readonly (Amount | undefined)[]): (Amount | undefined)[] =>
  amounts.map((_, index) => {
    const week = amounts.slice(Math.max(0, index - 6), index + 1).filter((one) => one !== undefined);
    return week.length === 7 ? sumAmounts(week) / 7n : undefined;
  });
