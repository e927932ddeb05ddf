import { scaleLinear, scaleLog } from 'd3-scale';
import { HOURS_PER_DAY, SECONDS_PER_DAY } from '../../core/figures/calendar.ts';
import { toNumber } from '../model/amounts.ts';
import { type Line, marksOf, type Points } from '../model/panels.ts';
import { inDays, type ShownInterval, startOf } from '../model/periods.ts';
import type { View } from '../model/view.ts';
import { formatTicks, timeTicks } from './ticks.ts';

/** A place in a panel, in CSS pixels from its top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Positions of a panel in CSS pixels, from its top left corner, with the edges of the area that lines are drawn in. */
export type Geometry = Readonly<ReturnType<typeof geometryOf>>;

/** Height of the mark of a missing day, and of the row that it is in. */
export const MARK = { height: 4, row: 6, minWidth: 3 } as const;

/** Widths of the value axis: between a label and the axis, and of the widest digit in any browser. */
const LABEL = { gap: 10, digit: 7.5 } as const;

/** Days in the shortest period of each interval. */
const SHORTEST: Readonly<Record<ShownInterval, number>> = {
  hour: 1 / HOURS_PER_DAY,
  day: 1,
  week: 7,
  month: 28,
  quarter: 90,
  year: 365,
};

type Options = Pick<View, 'interval' | 'isLog' | 'mode'>;

/** Lays out a panel. The right margin has room for the names of the chains, the bottom one for the marks of missing days. */
export function geometryOf(
  dates: readonly string[],
  lines: readonly Line[],
  { width, height }: { readonly width: number; readonly height: number },
  options: Options,
) {
  const isNarrow = width < 560;
  const running = runningWidth(lines, isNarrow);
  const [top, bottom] = [running > 0 ? 38 : 22, height - 26 - lines.length * MARK.row];
  const count = Math.max(2, Math.round((bottom - top) / 56));
  const value = valueScale(lines, options, [bottom, top], count);
  const labels = formatTicks(value.ticks);
  const longest = Math.max(...labels.map(({ length }) => length));
  const left = Math.max(isNarrow ? 36 : 52, LABEL.gap + LABEL.digit * longest);
  const [first, last] = timeDomain(dates, options.interval, running > 0);
  const end = width - (isNarrow ? 74 : 84);
  const today = end - running / 2;
  /** From the last date to the running day: a day, or as much as its bars need. */
  const step = Math.max(running / 2 + 4, (today - left) / ((last - first) / SECONDS_PER_DAY + 1));
  const edges = { left, right: running > 0 ? today - step : end, top, bottom };
  const time = scaleLinear([first, last], [edges.left, edges.right]);
  const max = (edges.right - edges.left) / (isNarrow ? 54 : 80);
  return {
    width,
    height,
    ...edges,
    /** Right edge of the bars of the running day. */
    end,
    /** Width of all bars of the running day; 0 without one. */
    running,
    x: (seconds: number) => (running > 0 && seconds > startOf(dates.at(-1) ?? '') ? today : time(seconds)),
    y: value.y,
    timeTicks: timeTicks(first, last, max, SHORTEST[options.interval]),
    valueTicks: value.ticks.map((tick, index) => ({ value: tick, label: labels[index] ?? '' })),
  };
}

/** Stacked chains share a bar. On a screen with many days, one of a day's width would be too thin to be seen. */
function runningWidth(lines: readonly Line[], isNarrow: boolean): number {
  if (!lines.some(({ running }) => running)) return 0;
  return lines.some(({ floor }) => floor) ? 14 : Math.max(14, lines.length * (isNarrow ? 5 : 8));
}

/** Returns the first and last second of the axis. A single date is in the middle, and bars have room at both ends. The running day comes after them. */
function timeDomain(
  dates: readonly string[],
  interval: ShownInterval,
  isContinued: boolean,
): [first: number, last: number] {
  const [first = '1970-01-01', last = first] = [dates[0], dates.at(-1)];
  const [from, to] = [startOf(first), startOf(last)];
  const room = inDays(interval) === 'day' ? 0 : SHORTEST[interval] / 2;
  const margin = (from === to ? Math.max(1, room) : room) * SECONDS_PER_DAY;
  return [from - margin, isContinued ? to : to + margin];
}

/** Returns the width of all bars of a period, in CSS pixels: four fifths of its room. */
export const barWidth = ({ x }: Pick<Geometry, 'x'>, interval: ShownInterval): number =>
  // Before the page is laid out, the axis has no width.
  Math.max(0, 0.8 * (x(SHORTEST[interval] * SECONDS_PER_DAY) - x(0)));

function valueScale(
  lines: readonly Line[],
  { isLog, mode }: Options,
  range: [number, number],
  count: number,
) {
  const values = lines
    .flatMap(({ points, faint = [], band = [], parts = [], running }) => {
      const sums = parts.map((part) => (part ? toNumber(part.amount) : null));
      return [points, faint, ...band, sums, running?.point ?? null].flat();
    })
    .filter((point) => point !== null);
  const highest = values.reduce((a, b) => Math.max(a, b), 0);
  if (!isLog || highest === 0) {
    const isShare = mode === 'share';
    const scale = scaleLinear([0, isShare ? 100 : highest || 1], range);
    if (!isShare) scale.nice(count);
    return { y: (value: number) => scale(value), ticks: scale.ticks(count) };
  }
  const lowest = values.reduce((a, b) => Math.min(a, b), highest);
  const scale = scaleLog([lowest / 1.2, highest * 1.2], range);
  // Its format is empty for the ticks that would be too many.
  const isShown = scale.tickFormat(count);
  return { y: (value: number) => scale(value), ticks: scale.ticks(count).filter(isShown) };
}

/** Returns the indexes of the points between two gaps, which no line connects. */
export function isolatedIndexes(points: Points): number[] {
  const isDefined = (index: number) => points[index] != null;
  return [...points.keys()].filter(
    (index) => isDefined(index) && !isDefined(index - 1) && !isDefined(index + 1),
  );
}

/** Moves positions apart to a minimum distance, in their order, and keeps them above `max`. */
export function spreadLabels(positions: readonly number[], distance: number, max: number): number[] {
  const order = [...positions.keys()].toSorted((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
  const moved = [...positions];
  let limit = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    moved[index] = Math.max(moved[index] ?? 0, limit);
    limit = (moved[index] ?? 0) + distance;
  }
  limit = max;
  for (const index of order.toReversed()) {
    moved[index] = Math.min(moved[index] ?? 0, limit);
    limit = (moved[index] ?? 0) - distance;
  }
  return moved;
}

export function nearestIndex({ x: toX }: Pick<Geometry, 'x'>, dates: readonly string[], x: number): number {
  const distances = dates.map((date) => Math.abs(toX(startOf(date)) - x));
  return distances.indexOf(distances.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY));
}

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
