import type { ChainName } from '../lambda/chains/chains.ts';
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
