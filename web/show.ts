import type { Answer } from './ask.ts';
import type { Zoom } from './chart.ts';
import { type Charts, drawCharts } from './charts.ts';
import { byId, element } from './dom.ts';
import { type Day, everyDay, joinDays } from './figures.ts';
import { metrics } from './metrics.ts';
import { type Shown, saveCsv, savePicture } from './save.ts';
import { tableOf } from './table.ts';
import type { View } from './view.ts';
import { coverageOf, readingNotes, titleOf, ZOOM_HINT } from './words.ts';

/* What is seen of what the API answered. */

const card = byId('chart-card', HTMLElement);
const title = byId('chart-title', HTMLElement);
const status = byId('status', HTMLElement);
const note = byId('chart-note', HTMLElement);
const reset = byId('reset', HTMLButtonElement);
const png = byId('png', HTMLButtonElement);
const csv = byId('csv', HTMLButtonElement);

let charts: Charts | undefined;
let current: { readonly shown: Shown; readonly days: readonly Day[] } | undefined;

export const isShown = (): boolean => current !== undefined;

/** Draws answers, zoomed in where the days are those that were seen before. */
export function show(shown: Shown): void {
  const { view, answers } = shown;
  const days = joinDays(answers);
  const zoom = isSameSpan(days, current?.days) ? charts?.zoom() : undefined;
  // Another scale leaves the table as it is, which takes two thirds of the time: 0.6 s for all days of six chains.
  if (!isSame(answers, current?.shown.answers)) showTable(view, days);
  current = { shown, days };
  title.textContent = titleOf(metrics[view.metric], days);
  showCoverage();
  showCharts(view, days, zoom);
  showNotes(view, days);
  png.disabled = days.length === 0;
  csv.disabled = false;
}

function showCoverage(): void {
  const answers = current?.shown.answers ?? [];
  const coverage = answers.map((answer) => element('li', {}, coverageOf(answer)));
  status.replaceChildren(element('ul', { class: 'coverage' }, ...coverage));
}

/** Tells that an answer is waited for, or no more. */
export function showAsking(isAsking: boolean): void {
  card.ariaBusy = String(isAsking);
  if (isAsking) status.replaceChildren(element('p', { class: 'coverage' }, 'Asking the service …'));
  else showCoverage();
}

/** Brings the chart into sight: on a phone it is far below the button. */
export const reveal = (): void => card.scrollIntoView({ block: 'nearest' });

function showCharts(view: View, days: readonly Day[], zoom: Zoom | undefined): void {
  const place = byId('charts', HTMLElement);
  charts?.destroy();
  reset.hidden = true;
  charts = days.length > 0 ? drawCharts(place, everyDay(days), view, setZoomed) : undefined;
  if (zoom) charts?.setZoom(zoom);
  if (!charts) place.replaceChildren(nothingThere());
}

function showNotes(view: View, days: readonly Day[]): void {
  note.textContent = `${readingNotes(view, days)} ${ZOOM_HINT}`;
  note.hidden = days.length === 0;
}

function showTable({ metric, chains }: View, days: readonly Day[]): void {
  byId('table', HTMLElement).replaceChildren(tableOf(metric, chains, days));
  byId('table-card', HTMLElement).hidden = days.length === 0;
}

const setZoomed = (isZoomed: boolean) => {
  reset.hidden = !isZoomed;
};

const isSame = (a: readonly Answer[], b: readonly Answer[] = []) =>
  a.length === b.length && a.every((answer, index) => answer === b[index]);

const isSameSpan = (a: readonly Day[], b: readonly Day[] = []) =>
  a[0]?.date === b[0]?.date && a.at(-1)?.date === b.at(-1)?.date;

const nothingThere = () =>
  element(
    'p',
    { class: 'empty' },
    element('strong', {}, 'No day of this range has a final figure.'),
    element('span', {}, 'Choose other days: each line above says how far a chain goes.'),
  );

/** Draws the same again, as after a change of colors. */
export function redraw(): void {
  if (!current) return;
  const hadFocus = byId('charts', HTMLElement).contains(document.activeElement);
  show(current.shown);
  if (hadFocus) charts?.focus();
}

/** Draws the same in another way. */
export function style(chosen: Pick<View, 'isLog' | 'hasAverage'>): void {
  if (current) show({ ...current.shown, view: { ...current.shown.view, ...chosen } });
}

/** Makes the buttons of the chart work. */
export function wireTools(): void {
  reset.addEventListener('click', () => {
    charts?.setZoom(undefined);
    // The button hides itself, and the focus would be nowhere.
    charts?.focus();
  });
  csv.addEventListener('click', () => current && saveCsv(current.shown, current.days));
  png.addEventListener('click', () => current && charts && savePicture(current.shown, current.days, charts));
}
