import uPlot from 'uplot';
import { SECONDS_PER_DAY, startOfDay } from '../lambda/chains/utc-day.ts';
import { axisRange, formatTickValue } from './axes.ts';
import { type ChartData, type Line, layoutGapMarks, lineStyleOf } from './chart-data.ts';
import { definedIndexes, isolatedIndexes } from './days.ts';
import { resolvedColor } from './dom.ts';

/** A visible range of days, in seconds since 1970. */
export interface Zoom {
  readonly min: number;
  readonly max: number;
}

const HEIGHT = 320;
const FONT = '12px system-ui, sans-serif';

/** Days between ticks. uPlot aligns those of 30 days to months, and those of 365 days to years. */
const STEPS = [1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 120, 180, 365, 730, 1_825];

/**
 * Draws a chart as wide as its element. All charts of a page share cursor and zoom.
 * @param onPoint called with the index of the day under the cursor
 */
export function drawChart(
  target: HTMLElement,
  data: ChartData,
  onPoint: (index: number | undefined) => void,
  onZoom: (zoom: Zoom) => void,
): uPlot {
  const { days, lines, isLog } = data;
  const seconds = days.map(({ date }) => startOfDay(date));
  const values = lines.flatMap(({ points, average }) => (average ? [points, average] : [points]));
  return new uPlot(
    {
      ...{ width: target.clientWidth, height: HEIGHT, padding: [12, 28, 0, 0] },
      legend: { show: false },
      // uPlot would align months to the browser's time zone.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      scales: {
        x: { range: (_, min, max) => atLeastTwoDays(min, Math.min(max, seconds.at(-1) ?? max)) },
        y: { distr: isLog ? 3 : 1, range: (_, min, max) => axisRange(min, max, isLog) },
      },
      axes: axesOf(lines.length),
      series: [{}, ...lines.flatMap(seriesOf)],
      cursor: {
        y: false,
        sync: { key: 'days', scales: ['x', null], setSeries: false },
        points: { size: 8 },
        move: snapToDay,
      },
      hooks: {
        draw: [(chart) => drawGapMarks(chart, data)],
        setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
        setScale: [
          ({ scales: { x } }, key) => {
            if (key === 'x' && x?.min != null && x.max != null) onZoom({ min: x.min, max: x.max });
          },
        ],
      },
    },
    [seconds, ...values.map((points) => [...points])],
    target,
  );
}

/** Returns the time axis, with room for the gap marks of each line, and the value axis. */
function axesOf(lines: number): uPlot.Axis[] {
  const grid = { stroke: resolvedColor('var(--grid)'), width: 1 };
  const axis = { stroke: resolvedColor('var(--muted)'), grid, ticks: { show: false }, font: FONT };
  const time: uPlot.Axis = {
    ...axis,
    gap: 5 + gapMarksHeight(lines),
    size: 32 + gapMarksHeight(lines),
    incrs: STEPS.map((days) => days * SECONDS_PER_DAY),
    space: 58,
    // By the least number of seconds between two ticks.
    values: [
      [365 * SECONDS_PER_DAY, '{YYYY}'],
      [28 * SECONDS_PER_DAY, '{MMM} {YYYY}'],
      [SECONDS_PER_DAY, '{D} {MMM}'],
    ],
  };
  return [time, { ...axis, size: 66, values: (_, ticks) => ticks.map(formatTickValue) }];
}

/** In CSS pixels. */
const MARK = { height: 3, space: 1, minWidth: 2 };

/** Returns the height of the marks of a number of lines, in CSS pixels. */
const gapMarksHeight = (lines: number): number => lines * (MARK.height + MARK.space);

/**
 * Marks the days without a figure below the chart, one row per chain. A gap of one day among many, or in a dashed line, is
 * hard to see otherwise.
 */
function drawGapMarks(chart: uPlot, { days, lines }: ChartData): void {
  const { ctx, bbox } = chart;
  const ratio = window.devicePixelRatio;
  const at = (seconds: number) => chart.valToPos(seconds, 'x', true);
  const axis = { left: bbox.left, right: bbox.left + bbox.width, at };
  lines.forEach((line, row) => {
    const top = bbox.top + bbox.height + (gapMarksHeight(row) + MARK.space) * ratio;
    ctx.fillStyle = resolvedColor(lineStyleOf(line.chain).color);
    for (const { left, width } of layoutGapMarks(days, line, axis, MARK.minWidth * ratio))
      ctx.fillRect(left, top, width, MARK.height * ratio);
  });
}

/** Moves the cursor from day to day. Left of the chart it is hidden. */
const snapToDay: uPlot.Cursor.MousePosRefiner = (chart, left, top) => {
  const day = chart.data[0][chart.posToIdx(left)];
  return left < 0 || day === undefined ? [left, top] : [chart.valToPos(day, 'x'), top];
};

/** Keeps at least one day visible. uPlot would widen a single day to 1,000. */
function atLeastTwoDays(min: number, max: number): [number, number] {
  const center = (min + max) / 2;
  return [Math.min(min, center - SECONDS_PER_DAY), Math.max(max, center + SECONDS_PER_DAY)];
}

function seriesOf({ chain, average }: Line): uPlot.Series[] {
  const { color, dash } = lineStyleOf(chain);
  const stroke = resolvedColor(color);
  const points = { filter: visiblePoints, size: 5, fill: stroke };
  const line = { stroke, dash: [...dash], width: 2, points };
  return average
    ? [
        { ...line, width: 1, alpha: 0.45 },
        { ...line, width: 3 },
      ]
    : [line];
}

/** Shows all points where there is room, and otherwise those that no line connects. */
const visiblePoints: uPlot.Series.Points.Filter = (chart, series, isRoomy) => {
  const points = chart.data[series] ?? [];
  return isRoomy ? definedIndexes(points) : isolatedIndexes(points);
};
