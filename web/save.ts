import { startOfDay } from '../lambda/chains/utc-day.ts';
import type { Answer } from './ask.ts';
import type { Zoom } from './chart.ts';
import type { Charts } from './charts.ts';
import { csvOf } from './csv.ts';
import { download } from './download.ts';
import type { Day } from './figures.ts';
import { metrics } from './metrics.ts';
import { pictureOf } from './picture.ts';
import type { View } from './view.ts';
import { readingNotes, titleOf } from './words.ts';

/** A view of the chains that were answered, and the answers in their order. */
export interface Shown {
  readonly view: View;
  readonly answers: readonly Answer[];
}

/** Downloads all days as CSV. */
export function saveCsv(shown: Shown, days: readonly Day[]): void {
  const { view } = shown;
  const text = csvOf(view.metric, view.chains, days);
  download(fileOf(shown, 'csv', view.start_date, view.end_date), new Blob([text], { type: 'text/csv' }));
}

/** Downloads the charts as they are seen: of the days that are zoomed to. */
export async function savePicture(shown: Shown, days: readonly Day[], charts: Charts): Promise<void> {
  const seen = within(days, charts.zoom());
  const title = `Chain Insights: ${titleOf(metrics[shown.view.metric], seen)}`;
  const picture = await pictureOf(title, readingNotes(shown.view, seen), charts);
  download(fileOf(shown, 'png', seen[0]?.date, seen.at(-1)?.date), picture);
}

const within = (days: readonly Day[], zoom: Zoom | undefined): readonly Day[] =>
  zoom ? days.filter(({ date }) => startOfDay(date) >= zoom.min && startOfDay(date) <= zoom.max) : days;

const fileOf = ({ view }: Shown, type: string, first = '', last = ''): string =>
  `${['chain-insights', view.metric, ...view.chains, first, last].join('_')}.${type}`;
