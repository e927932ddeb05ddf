import type uPlot from 'uplot';
import { type ChartData, layoutGapMarks, lineStyleOf } from './chart-data.ts';
import { resolvedColor } from './dom.ts';

/** In CSS pixels. */
const HEIGHT = 3;
const SPACE = 1;
const MIN_WIDTH = 2;

/** Returns the height of the marks of a number of lines, in CSS pixels. */
export const gapMarksHeight = (lines: number): number => lines * (HEIGHT + SPACE);

/**
 * Marks the days without a figure below the chart, one row per chain. A gap of one day among many, or in a dashed line, is
 * hard to see otherwise.
 */
export function drawGapMarks(chart: uPlot, { days, lines }: ChartData): void {
  const { ctx, bbox } = chart;
  const ratio = window.devicePixelRatio;
  const at = (seconds: number) => chart.valToPos(seconds, 'x', true);
  const axis = { left: bbox.left, right: bbox.left + bbox.width, at };
  lines.forEach((line, row) => {
    const top = bbox.top + bbox.height + (gapMarksHeight(row) + SPACE) * ratio;
    ctx.fillStyle = resolvedColor(lineStyleOf(line.chain).color);
    for (const { left, width } of layoutGapMarks(days, line, axis, MIN_WIDTH * ratio))
      ctx.fillRect(left, top, width, HEIGHT * ratio);
  });
}
