import uPlot from 'uplot';
import { SECONDS_PER_DAY, startOfDay } from '../lambda/chains/utc-day.ts';
import { rangeOf, tickDay, tickFigure } from './axes.ts';
import { resolvedColor } from './dom.ts';
import type { Drawing, Line } from './drawings.ts';
import { aloneOf, presentOf } from './figures.ts';
import { heightOfMarks, markGaps } from './gap-marks.ts';
import { lineStyleOf } from './line-styles.ts';

/** A range of days that is looked at, in seconds. */
export interface Zoom {
  readonly min: number;
  readonly max: number;
}

interface Hooks {
  /** Told the index of the day that is pointed at. */
  readonly onPoint: (index: number | undefined) => void;
  readonly onZoom: (zoom: Zoom) => void;
}

const HEIGHT = 320;

/** Draws into an element, as wide as it is. Charts on one page point and zoom together. */
export function drawChart(target: HTMLElement, drawing: Drawing, hooks: Hooks): uPlot {
  const { days, lines, isLog } = drawing;
  const seconds = days.map(({ date }) => startOfDay(date));
  const data = lines.flatMap(({ points, average }) => (average ? [points, average] : [points]));
  const muted = resolvedColor('var(--muted)');
  const grid = resolvedColor('var(--grid)');
  const axis = { stroke: muted, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font: FONT };
  return new uPlot(
    {
      ...{ width: target.clientWidth, height: HEIGHT, padding: [12, 28, 0, 0] },
      legend: { show: false },
      // Without it, months would begin where the browser's time zone has them.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      scales: {
        x: { range: (_, min, max) => atLeastTwoDays(min, Math.min(max, seconds.at(-1) ?? max)) },
        y: { distr: isLog ? 3 : 1, range: (_, min, max) => rangeOf(min, max, isLog) },
      },
      axes: [
        {
          ...axis,
          // The marks of gaps are between the chart and its days.
          gap: 5 + heightOfMarks(lines.length),
          size: 32 + heightOfMarks(lines.length),
          incrs: STEPS,
          space: 58,
          values: (_, ticks, __, ___, step) => ticks.map((t) => tickDay(t, step)),
        },
        { ...axis, size: 66, values: (_, ticks) => ticks.map(tickFigure) },
      ],
      series: [{}, ...lines.flatMap(seriesOf)],
      cursor: {
        y: false,
        sync: { key: 'days', scales: ['x', null], setSeries: false },
        points: { size: 8 },
        move: onDays,
      },
      hooks: {
        draw: [(chart) => markGaps(chart, drawing)],
        setCursor: [({ cursor }) => hooks.onPoint(cursor.idx ?? undefined)],
        setScale: [
          ({ scales: { x } }, key) => {
            if (key === 'x' && x?.min != null && x.max != null) hooks.onZoom({ min: x.min, max: x.max });
          },
        ],
      },
    },
    [seconds, ...data.map((points) => [...points])],
    target,
  );
}

/** Has the cursor go from day to day; to the left of the chart it is nowhere. */
const onDays: uPlot.Cursor.MousePosRefiner = (chart, left, top) => {
  const day = chart.data[0][chart.posToIdx(left)];
  return left < 0 || day === undefined ? [left, top] : [chart.valToPos(day, 'x'), top];
};

/** However little is zoomed to, a day is seen. Of a single day, uPlot itself would make 1,000. */
function atLeastTwoDays(min: number, max: number): [number, number] {
  const center = (min + max) / 2;
  return [Math.min(min, center - SECONDS_PER_DAY), Math.max(max, center + SECONDS_PER_DAY)];
}

const FONT = '12px system-ui, sans-serif';
/** The steps between ticks, none of less than a day; those of months and years are the ones that uPlot knows as such. */
const STEPS = [1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 120, 180, 365, 730, 1_825].map(
  (days) => days * SECONDS_PER_DAY,
);

function seriesOf({ chain, average }: Line): uPlot.Series[] {
  const { color, dash } = lineStyleOf(chain);
  const stroke = resolvedColor(color);
  const line = { stroke, dash: [...dash], width: 2, points: { filter: alonePoints, size: 5, fill: stroke } };
  if (!average) return [line];
  const faint = { ...line, width: 1, alpha: 0.45 };
  return [faint, { ...line, width: 3 }];
}

const alonePoints: uPlot.Series.Points.Filter = (chart, series, isRoomy) => {
  const points = chart.data[series] ?? [];
  return isRoomy ? presentOf(points) : aloneOf(points);
};
