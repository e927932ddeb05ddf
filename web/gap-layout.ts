import { chainOf } from '../lambda/chains/chains.ts';
import { SECONDS_PER_DAY, startOfDay } from '../lambda/chains/utc-day.ts';
import type { Line } from './chart-data.ts';
import type { Day } from './days.ts';

/** The time axis of a chart, in pixels. */
export interface TimeAxis {
  readonly left: number;
  readonly right: number;
  /** @param seconds since 1970 */
  readonly at: (seconds: number) => number;
}

/** Returns the horizontal position of a mark for each visible day that a chain has no figure for, since its first day. */
export function layoutGapMarks(
  days: readonly Day[],
  { chain, column }: Pick<Line, 'chain' | 'column'>,
  { left, right, at }: TimeAxis,
  minWidth: number,
): { readonly left: number; readonly width: number }[] {
  const { firstDay } = chainOf(chain);
  return days
    .filter(({ date, values }) => values[column] === undefined && date >= firstDay)
    .map(({ date }) => at(startOfDay(date)))
    .filter((center) => center >= left && center <= right)
    .map((center) => {
      const width = Math.max(minWidth, at(SECONDS_PER_DAY) - at(0));
      return { left: Math.min(Math.max(center - width / 2, left), right - width), width };
    });
}
