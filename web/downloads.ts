import { startOfDay } from '../lambda/chains/utc-day.ts';
import type { ChainSeries } from './api-client.ts';
import type { Zoom } from './chart.ts';
import { renderImage } from './chart-image.ts';
import type { Charts } from './charts.ts';
import { type Day, toCsv } from './days.ts';
import { element } from './dom.ts';
import { chartNotes, chartTitle } from './labels.ts';
import { metrics } from './metrics.ts';
import type { View } from './view.ts';

/** A view reduced to the chains that were loaded, and their series in the same order. */
export interface LoadedView {
  readonly view: View;
  readonly series: readonly ChainSeries[];
}

export function downloadCsv({ view }: LoadedView, days: readonly Day[]): void {
  const text = toCsv(view.metric, view.chains, days);
  download(fileName(view, 'csv', view.start_date, view.end_date), new Blob([text], { type: 'text/csv' }));
}

/** Downloads the charts as an image of the visible days. */
export async function downloadImage(
  { view }: LoadedView,
  days: readonly Day[],
  charts: Charts,
): Promise<void> {
  const visible = within(days, charts.zoom());
  const title = `Chain Insights: ${chartTitle(metrics[view.metric], visible)}`;
  const image = await renderImage(title, chartNotes(view, visible), charts);
  download(fileName(view, 'png', visible[0]?.date, visible.at(-1)?.date), image);
}

const within = (days: readonly Day[], zoom: Zoom | undefined): readonly Day[] =>
  zoom ? days.filter(({ date }) => startOfDay(date) >= zoom.min && startOfDay(date) <= zoom.max) : days;

const fileName = ({ metric, chains }: View, type: string, first = '', last = ''): string =>
  `${['chain-insights', metric, ...chains, first, last].join('_')}.${type}`;

function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  element('a', { href: url, download: name }).click();
  // By then the download has started, and the browser keeps the data that it reads.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
