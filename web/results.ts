import type { ChainSeries } from './api-client.ts';
import type { Zoom } from './chart.ts';
import { type Charts, drawCharts } from './charts.ts';
import { type Day, fillGaps, joinDays } from './days.ts';
import { byId, element } from './dom.ts';
import { downloadCsv, downloadImage, type LoadedView } from './downloads.ts';
import { chartNotes, chartTitle, coverageLine, ZOOM_HINT } from './labels.ts';
import { metrics } from './metrics.ts';
import { createTable } from './table.ts';
import type { View } from './view.ts';

/* The part of the page that shows the API's responses: coverage, charts and table. */

const card = byId('chart-card', HTMLElement);
const chartArea = byId('charts', HTMLElement);
const title = byId('chart-title', HTMLElement);
const status = byId('status', HTMLElement);
const note = byId('chart-note', HTMLElement);
const reset = byId('reset', HTMLButtonElement);
const png = byId('png', HTMLButtonElement);
const csv = byId('csv', HTMLButtonElement);

let charts: Charts | undefined;
let current: { readonly loaded: LoadedView; readonly days: readonly Day[] } | undefined;

export const hasResults = (): boolean => current !== undefined;

/** Shows a loaded view. The zoom is kept if the days are the same. */
export function showResults(loaded: LoadedView): void {
  const { view, series } = loaded;
  const days = joinDays(series);
  const zoom = isSameSpan(days, current?.days) ? charts?.zoom() : undefined;
  // The table takes two thirds of the time (0.6 s for all days of six chains), and does not depend on the scale.
  if (!isSame(series, current?.loaded.series)) showTable(view, days);
  current = { loaded, days };
  title.textContent = chartTitle(metrics[view.metric], days);
  showCoverage();
  showCharts(view, days, zoom);
  note.textContent = `${chartNotes(view, days)} ${ZOOM_HINT}`;
  note.hidden = days.length === 0;
  png.disabled = days.length === 0;
  csv.disabled = false;
}

function showCoverage(): void {
  const lines = (current?.loaded.series ?? []).map((each) => element('li', {}, coverageLine(each)));
  status.replaceChildren(element('ul', { class: 'row note coverage' }, ...lines));
}

export function showLoading(isLoading: boolean): void {
  card.ariaBusy = String(isLoading);
  if (isLoading) status.replaceChildren(element('p', { class: 'row note coverage' }, 'Loading …'));
  else showCoverage();
}

/** Scrolls the chart into view: on a phone it is far below the button. */
export const scrollToResults = (): void => card.scrollIntoView({ block: 'nearest' });

function showCharts(view: View, days: readonly Day[], zoom: Zoom | undefined): void {
  charts?.destroy();
  reset.hidden = true;
  const onZoom = (isZoomed: boolean) => {
    reset.hidden = !isZoomed;
  };
  charts = days.length > 0 ? drawCharts(chartArea, fillGaps(days), view, onZoom) : undefined;
  if (zoom) charts?.setZoom(zoom);
  if (!charts) chartArea.replaceChildren(emptyMessage());
}

function showTable({ metric, chains }: View, days: readonly Day[]): void {
  byId('table', HTMLElement).replaceChildren(createTable(metric, chains, days));
  byId('table-card', HTMLElement).hidden = days.length === 0;
}

const isSame = (a: readonly ChainSeries[], b: readonly ChainSeries[] = []) =>
  a.length === b.length && a.every((each, index) => each === b[index]);

const isSameSpan = (a: readonly Day[], b: readonly Day[] = []) =>
  a[0]?.date === b[0]?.date && a.at(-1)?.date === b.at(-1)?.date;

const emptyMessage = () =>
  element(
    'p',
    { class: 'empty' },
    element('strong', {}, 'No day in this range has a final figure.'),
    element('span', {}, 'Choose other days. The lines above show the last final day of each chain.'),
  );

/** Draws the same view in the colors of another theme. */
function redraw(): void {
  if (!current) return;
  const hadFocus = chartArea.contains(document.activeElement);
  showResults(current.loaded);
  if (hadFocus) charts?.focus();
}

/** Draws the same series with another scale or average. */
export function applyOptions(options: Pick<View, 'isLog' | 'hasAverage'>): void {
  if (current) showResults({ ...current.loaded, view: { ...current.loaded.view, ...options } });
}

document.addEventListener('themechange', redraw);
reset.addEventListener('click', () => {
  charts?.setZoom(undefined);
  // The button hides itself, which would lose the focus.
  charts?.focus();
});
csv.addEventListener('click', () => current && downloadCsv(current.loaded, current.days));
png.addEventListener('click', () => current && charts && downloadImage(current.loaded, current.days, charts));
