import type { ChainName } from '../lambda/chains/chains.ts';
import { type Day, type Points, pointsOf, positive, weekAverage } from './figures.ts';
import { unitOf } from './metrics.ts';
import type { View } from './view.ts';

/** The lines of a chart, all in one unit. */
export interface Drawing {
  readonly days: readonly Day[];
  readonly lines: readonly Line[];
  readonly isLog: boolean;
}

export interface Line {
  readonly chain: ChainName;
  /** Where its values are in each day. */
  readonly column: number;
  readonly points: Points;
  /** Drawn over the points, which are faint then. */
  readonly average?: Points;
}

/** What of a view a drawing is made of. */
export type Style = Pick<View, 'metric' | 'chains' | 'isLog' | 'hasAverage'>;

/**
 * A drawing for each unit, since fees of different coins share no axis.
 * @param days with a value for each of the chains, in their order
 */
export function drawingsOf(
  days: readonly Day[],
  { metric, chains, isLog, hasAverage }: Style,
): ReadonlyMap<string, Drawing> {
  const lines = chains.map((chain, column): Line => {
    const points = pointsOf(days, column);
    const drawn = (of: typeof points) => (isLog ? positive(of) : of);
    return {
      chain,
      column,
      points: drawn(points),
      ...(hasAverage && { average: drawn(weekAverage(points)) }),
    };
  });
  const byUnit = Map.groupBy(lines, ({ chain }) => unitOf(metric, chain));
  return new Map(Array.from(byUnit, ([unit, of]) => [unit, { days, lines: of, isLog }]));
}
