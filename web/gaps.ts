import { chainOf } from '../lambda/chains/chains.ts';
import { SECONDS_PER_DAY, startOfDay } from '../lambda/chains/utc-day.ts';
import type { Line } from './drawings.ts';
import type { Day } from './figures.ts';

/** Where a chart has its days, in pixels. */
export interface Edges {
  readonly left: number;
  readonly right: number;
  /** @param seconds since 1970 */
  readonly at: (seconds: number) => number;
}

/** From where to where there is a mark: around each day for which a chain that had begun has no figure. */
export function gapsOf(
  days: readonly Day[],
  { chain, column }: Pick<Line, 'chain' | 'column'>,
  { left, right, at }: Edges,
  leastWidth: number,
): { readonly left: number; readonly width: number }[] {
  const { firstDay } = chainOf(chain);
  return days
    .filter(({ date, values }) => values[column] === undefined && date >= firstDay)
    .map(({ date }) => at(startOfDay(date)))
    .filter((center) => center >= left && center <= right)
    .map((center) => {
      const width = Math.max(leastWidth, at(SECONDS_PER_DAY) - at(0));
      return { left: Math.min(Math.max(center - width / 2, left), right - width), width };
    });
}
