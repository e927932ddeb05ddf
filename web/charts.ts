import type uPlot from 'uplot';
import { startOfDay } from '../lambda/chains/utc-day.ts';
import { drawChart, type Zoom } from './chart.ts';
import { type ChartData, type ChartOptions, chartDataByUnit } from './chart-data.ts';
import { addKeyboardControls } from './chart-keyboard.ts';
import type { Day } from './days.ts';
import { element } from './dom.ts';
import { chartDescription } from './labels.ts';
import { createReadout } from './readout.ts';

/** All charts of the page, one per unit. */
export type Charts = ReturnType<typeof drawCharts>;

/**
 * Draws one chart per unit in place of the element's content.
 * @param days without gaps
 */
export function drawCharts(
  target: HTMLElement,
  days: readonly Day[],
  options: ChartOptions,
  onZoom: (isZoomed: boolean) => void,
) {
  const all = { min: secondsOf(days[0]), max: secondsOf(days.at(-1)) };
  /** The visible range, or undefined when all days are visible. */
  let zoom: Zoom | undefined;
  const recordZoom = (range: Zoom) => {
    zoom = range.min <= all.min && range.max >= all.max ? undefined : range;
    onZoom(zoom !== undefined);
  };
  target.replaceChildren();
  const units = Array.from(chartDataByUnit(days, options), ([unit, data]) => ({
    unit,
    data,
    plot: drawUnit(target, unit, data, recordZoom),
  }));
  /** Shows a range, or all days when undefined. */
  const setZoom = (range: Zoom = all) => {
    for (const { plot } of units) plot.setScale('x', range);
  };
  for (const { plot } of units) addKeyboardControls(plot, setZoom);
  const resize = new ResizeObserver(() => {
    for (const { plot } of units) plot.setSize({ width: target.clientWidth, height: plot.height });
  });
  resize.observe(target);
  const destroy = () => {
    resize.disconnect();
    for (const { plot } of units) plot.destroy();
  };
  const focus = () => units[0]?.plot.root.parentElement?.focus();
  return { units, zoom: () => zoom, setZoom, focus, destroy };
}

/** Appends a chart with its heading and readout. */
function drawUnit(target: HTMLElement, unit: string, data: ChartData, onZoom: (range: Zoom) => void): uPlot {
  const readout = createReadout(data.days, data.lines);
  const label = chartDescription(unit, data);
  const frame = element('div', { class: 'plot', tabindex: '0', role: 'img', 'aria-label': label });
  const heading = element('h3', {}, `${unit} per day`);
  target.append(element('div', { class: 'chart' }, heading, readout.root, frame));
  // Screen readers announce the day while the keyboard moves the cursor, but not while a mouse passes over days.
  frame.addEventListener('focus', () => readout.root.setAttribute('aria-live', 'polite'));
  frame.addEventListener('blur', () => readout.root.removeAttribute('aria-live'));
  const zoomTo = (range: Zoom) => {
    readout.setLast(data.days.findLastIndex(({ date }) => startOfDay(date) <= range.max));
    onZoom(range);
  };
  return drawChart(frame, data, readout.show, zoomTo);
}

const secondsOf = (day: Day | undefined): number => (day ? startOfDay(day.date) : 0);
