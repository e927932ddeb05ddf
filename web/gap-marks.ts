import type uPlot from 'uplot';
import { resolvedColor } from './dom.ts';
import type { Drawing } from './drawings.ts';
import { gapsOf } from './gaps.ts';
import { lineStyleOf } from './line-styles.ts';

/** In CSS pixels: a mark, the room between two rows of them, and how narrow it may become. */
const HEIGHT = 3;
const SPACE = 1;
const LEAST_WIDTH = 2;

/** Room that the marks of so many chains need below a chart, in CSS pixels. */
export const heightOfMarks = (lines: number): number => lines * (HEIGHT + SPACE);

/**
 * Marks days without a figure below a chart, in a row for each chain: of a gap of one day among many nobody would see anything,
 * least of all in a line of dashes. They are outside, so that nobody takes them for figures.
 */
export function markGaps(chart: uPlot, { days, lines }: Drawing): void {
  const { ctx, bbox } = chart;
  const ratio = window.devicePixelRatio;
  const at = (seconds: number) => chart.valToPos(seconds, 'x', true);
  const edges = { left: bbox.left, right: bbox.left + bbox.width, at };
  lines.forEach((line, row) => {
    const top = bbox.top + bbox.height + (heightOfMarks(row) + SPACE) * ratio;
    ctx.fillStyle = resolvedColor(lineStyleOf(line.chain).color);
    for (const { left, width } of gapsOf(days, line, edges, LEAST_WIDTH * ratio))
      ctx.fillRect(left, top, width, HEIGHT * ratio);
  });
}
