import type uPlot from 'uplot';
import { chainOf } from '../lambda/chains/chains.ts';
import { SECONDS_PER_DAY, startOfDay } from '../lambda/chains/utc-day.ts';
import type { Drawing } from './chart.ts';
import { resolvedColor } from './dom.ts';
import { lineStyleOf } from './line-styles.ts';

/** In CSS pixels. */
const HEIGHT = 3;
const LEAST_WIDTH = 2;

/**
 * Marks each day for which a chain has no figure, at the bottom edge of a chart and a row for each chain: of a gap of one day
 * among many nobody would see anything, least of all in a line of dashes.
 */
export function markGaps(chart: uPlot, { days, lines }: Drawing): void {
  const { ctx, bbox } = chart;
  const ratio = window.devicePixelRatio;
  const at = (seconds: number) => chart.valToPos(seconds, 'x', true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  lines.forEach(({ chain, column }, row) => {
    const top = bbox.top + bbox.height - (row + 1) * (HEIGHT + 1) * ratio;
    const { firstDay } = chainOf(chain);
    ctx.fillStyle = resolvedColor(lineStyleOf(chain).color);
    for (const { date, values } of days) {
      if (values[column] !== undefined || date < firstDay) continue;
      const begin = startOfDay(date) - SECONDS_PER_DAY / 2;
      const width = Math.max(LEAST_WIDTH * ratio, at(begin + SECONDS_PER_DAY) - at(begin));
      ctx.fillRect(at(begin), top, width, HEIGHT * ratio);
    }
  });
  ctx.restore();
}
