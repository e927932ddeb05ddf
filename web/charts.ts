import type uPlot from 'uplot';
import { startOfDay } from '../lambda/chains/utc-day.ts';
import { drawChart, type Zoom } from './chart.ts';
import { zoomByKeys } from './chart-keys.ts';
import { element } from './dom.ts';
import { type Drawing, drawingsOf, type Style } from './drawings.ts';
import type { Day } from './figures.ts';
import { readoutOf } from './readout.ts';
import { nameOf, titleOf } from './words.ts';

/** What is drawn: a chart for each unit, since fees of different coins share no axis. */
export interface Charts {
  readonly units: readonly { readonly unit: string; readonly drawing: Drawing; readonly plot: uPlot }[];
  /** The range that is zoomed to; undefined when all is shown. */
  readonly zoom: () => Zoom | undefined;
  /** @param zoom undefined to show all */
  readonly setZoom: (zoom: Zoom | undefined) => void;
  /** Gives the keyboard to the first of them. */
  readonly focus: () => void;
  readonly destroy: () => void;
}

/**
 * Draws into an element, in place of what is in it.
 * @param days each day of the calendar from the first to the last that is drawn
 */
export function drawCharts(
  target: HTMLElement,
  days: readonly Day[],
  style: Style,
  onZoom: (isZoomed: boolean) => void,
): Charts {
  const all = { min: secondsOf(days[0]), max: secondsOf(days.at(-1)) };
  let zoom: Zoom | undefined;
  const noteZoom = (range: Zoom) => {
    zoom = range.min <= all.min && range.max >= all.max ? undefined : range;
    onZoom(zoom !== undefined);
  };
  target.replaceChildren();
  const units = Array.from(drawingsOf(days, style), ([unit, drawing]) => ({
    unit,
    drawing,
    plot: drawUnit(target, unit, drawing, noteZoom),
  }));
  const setZoom = (range: Zoom = all) => {
    for (const { plot } of units) plot.setScale('x', range);
  };
  for (const { plot } of units) zoomByKeys(plot, setZoom);
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

/** A chart with its heading and its readout, at the end of an element. */
function drawUnit(target: HTMLElement, unit: string, drawing: Drawing, onZoom: (range: Zoom) => void): uPlot {
  const readout = readoutOf(drawing.days, drawing.lines);
  const label = labelOf(unit, drawing);
  const place = element('div', { class: 'plot', tabindex: '0', role: 'img', 'aria-label': label });
  const heading = element('h3', {}, `${unit} a day`);
  target.append(element('div', { class: 'chart' }, heading, readout.root, place));
  // What is pointed at by keys is read out; what a mouse passes over is not.
  place.addEventListener('focus', () => readout.root.setAttribute('aria-live', 'polite'));
  place.addEventListener('blur', () => readout.root.removeAttribute('aria-live'));
  const zoomTo = (range: Zoom) => {
    readout.endAt(drawing.days.findLastIndex(({ date }) => startOfDay(date) <= range.max));
    onZoom(range);
  };
  return drawChart(place, drawing, { onPoint: readout.tell, onZoom: zoomTo });
}

const secondsOf = (day: Day | undefined): number => (day ? startOfDay(day.date) : 0);

function labelOf(unit: string, { days, lines }: Drawing): string {
  const names = lines.map(({ chain }) => nameOf(chain)).join(', ');
  return `${titleOf(`Line chart of ${unit}`, days)}: ${names}. The table below has the same figures.`;
}
