import { type ChainName, chainNames, chainOf } from '../lambda/chains/chains.ts';
import { SECONDS_PER_DAY, startOfDay } from '../lambda/chains/utc-day.ts';
import { type Day, type Points, toPoints, weekAverage, withoutZeros } from './days.ts';
import { unitOf } from './metrics.ts';
import type { View } from './view.ts';

/** The lines of one chart. All have the same unit. */
export interface ChartData {
  readonly days: readonly Day[];
  readonly lines: readonly Line[];
  readonly isLog: boolean;
}

export interface Line {
  readonly chain: ChainName;
  /** Index of the chain's value in each day. */
  readonly column: number;
  readonly points: Points;
  /** Drawn in bold over the points, which are then faint. */
  readonly average?: Points;
}

/** The part of a view that the charts depend on. */
export type ChartOptions = Pick<View, 'metric' | 'chains' | 'isLog' | 'hasAverage'>;

/**
 * Returns the data of one chart per unit, since fees in different coins cannot share an axis.
 * @param days with a value for each of the chains, in their order
 */
export function chartDataByUnit(
  days: readonly Day[],
  { metric, chains, isLog, hasAverage }: ChartOptions,
): ReadonlyMap<string, ChartData> {
  const scaled = (points: Points) => (isLog ? withoutZeros(points) : points);
  const lines = chains.map((chain, column): Line => {
    const points = toPoints(days, column);
    return {
      chain,
      column,
      points: scaled(points),
      ...(hasAverage && { average: scaled(weekAverage(points)) }),
    };
  });
  const byUnit = Map.groupBy(lines, ({ chain }) => unitOf(metric, chain));
  return new Map(Array.from(byUnit, ([unit, of]) => [unit, { days, lines: of, isLog }]));
}

const dashes = [[], [9, 4], [3, 3], [12, 4, 3, 4], [18, 5], [6, 3, 2, 3, 2, 3]];

/**
 * Returns the color of a chain's line, and its dashes in CSS pixels. Both differ, for readers who cannot tell the colors apart.
 * After six chains the colors repeat with other dashes.
 */
export function lineStyleOf(chain: ChainName) {
  const index = chainNames.indexOf(chain);
  const round = Math.floor(index / dashes.length);
  return {
    color: `var(--line-${index % dashes.length})`,
    dash: dashes[(index + round) % dashes.length] ?? [],
  };
}

/**
 * Returns the horizontal position of a mark for each visible day that a chain has no figure for, since its first day.
 * @param axis maps seconds since 1970 to pixels
 */
export function layoutGapMarks(
  days: readonly Day[],
  { chain, column }: Pick<Line, 'chain' | 'column'>,
  axis: { readonly left: number; readonly right: number; readonly at: (seconds: number) => number },
  minWidth: number,
): { readonly left: number; readonly width: number }[] {
  const { left, right, at } = axis;
  const { firstDay } = chainOf(chain);
  const width = Math.max(minWidth, at(SECONDS_PER_DAY) - at(0));
  return days
    .filter(({ date, values }) => values[column] === undefined && date >= firstDay)
    .map(({ date }) => at(startOfDay(date)))
    .filter((center) => center >= left && center <= right)
    .map((center) => ({ left: Math.min(Math.max(center - width / 2, left), right - width), width }));
}
