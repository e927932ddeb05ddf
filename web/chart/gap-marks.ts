import { SECONDS_PER_DAY } from '../../core/figures/calendar.ts';
import { type Line, marksOf } from '../model/panels.ts';
import { type ShownInterval, startOf } from '../model/periods.ts';
import { type Geometry, MARK, SHORTEST } from './geometry.ts';
import type { Point } from './use-pointer.ts';

/** Greatest distance between a click and the mark that it means, in CSS pixels: marks are thinner than a finger. */
const REACH = 8;

/** Places a mark for each gap, in a row per line: a gap of one day among many is hard to see in the line itself. */
export const gapMarks = (
  { x, left, right, bottom }: Pick<Geometry, 'x' | 'left' | 'right' | 'bottom'>,
  lines: readonly Pick<Line, 'chain' | 'cells' | 'parts'>[],
  dates: readonly string[],
  interval: ShownInterval,
) =>
  lines.flatMap((line, row) => {
    const at = (index: number) => x(startOf(dates[index] ?? dates.at(-1) ?? ''));
    const half = (x(SHORTEST[interval] * SECONDS_PER_DAY) - x(0)) / 2;
    return marksOf(line).map((gap) => {
      const [from, to] = [Math.max(left, at(gap.first) - half), Math.min(right, at(gap.last) + half)];
      const width = Math.max(MARK.minWidth, to - from);
      const start = Math.min(from - (width - (to - from)) / 2, right - width);
      return { chain: line.chain, ...gap, x: start, width, y: bottom + 2 + row * MARK.row };
    });
  });

/** Returns the mark that a click below the axis means, or undefined if none is near. */
export function gapMarkAt(marks: ReturnType<typeof gapMarks>, { x, y }: Point) {
  const outside = (at: number, start: number, length: number) => Math.max(start - at, at - start - length, 0);
  const distance = (mark: (typeof marks)[number]) =>
    Math.hypot(outside(x, mark.x, mark.width), outside(y, mark.y, MARK.height));
  const [nearest] = marks.toSorted((a, b) => distance(a) - distance(b));
  return nearest && distance(nearest) <= REACH ? nearest : undefined;
}
