import type { ChainName } from '../core/chains/chains.ts';
import type { UtcDay } from '../core/figures/calendar.ts';
import { ApiError, type ChainDays, type ChainStatus, type DayRow, statusOf } from './api-client.ts';
import { type ChainGaps, listDays } from './coverage.ts';
import { datesOf, firstExpected, rowsWithin, viewCoverage } from './dates.ts';
import { type Figure, hasFigure } from './figures.ts';
import { chainLabel, chartNotes } from './labels.ts';
import { type Plot, type PlottedSeries, plotOf } from './plot.ts';
import { type ChainQuery, queriesOf } from './queries.ts';
import { joinRows, type TableRow } from './rows.ts';
import { type Card, latestOf, partialPeriods, ranked, totalOf } from './summary.ts';
import type { View } from './view.ts';

/** Everything that the page shows of a view. */
export interface Content {
  /** Chains that were loaded. */
  readonly chains: readonly ChainName[];
  readonly plot: Plot;
  readonly cards: readonly Card[];
  readonly coverages: readonly ChainGaps[];
  readonly rows: readonly TableRow[];
  /** Rows of each chain in the range, in the order of `chains`. */
  readonly columns: readonly (readonly DayRow[])[];
}

export type Find = (query: ChainQuery) => ChainDays | ApiError | undefined;

/** A chain that could not be loaded, and the reason. */
export type ChainError = readonly [ChainName, ApiError];

/** The state of a view's requests. */
export type Loading =
  | { readonly state: 'loading' }
  | {
      readonly state: 'loaded';
      readonly content: Content;
      readonly errors: readonly ChainError[];
      /** Chains that have not answered yet. */
      readonly pending: readonly ChainName[];
    };

/**
 * Returns the content of a view from what was loaded.
 * @param shown the view with the range that is drawn, which may be narrower while two fingers move
 */
export function contentOf(
  find: Find,
  view: View,
  shown: View,
  statuses: readonly ChainStatus[],
  today: UtcDay,
): Loading {
  const found = view.chains
    .filter((chain) => hasFigure(chain, view.figure))
    .map((chain) => {
      const { series, recent } = queriesOf(view, chain);
      return { chain, series: find(series), recent: find(recent) };
    });
  const errors: ChainError[] = [];
  const loaded: LoadedChain[] = [];
  const pending: ChainName[] = [];
  for (const { chain, series, recent } of found) {
    if (!series || !recent) pending.push(chain);
    else if (series instanceof ApiError) errors.push([chain, series]);
    else if (recent instanceof ApiError) errors.push([chain, recent]);
    else {
      const firstDay = firstExpected(chain, statusOf(statuses, chain), shown.interval);
      const drawn = rowsWithin(chain, series, shown).filter((row) => row[shown.figure] !== undefined);
      const whole = new Set(drawn.map(({ date }) => date));
      loaded.push({
        chain,
        partials: partialPeriods({ chain, days: recent.rows, whole }, shown),
        days: { ...series, rows: rowsWithin(chain, shown.interval === 'hour' ? recent : series, shown) },
        drawn,
        firstDay,
        recent: recent.rows.filter(({ date }) => date <= shown.end_date),
      });
    }
  }
  if (pending.length > 0 && loaded.length === 0) return { state: 'loading' };
  return { state: 'loaded', content: joinChains(loaded, shown, statuses, today), errors, pending };
}

interface LoadedChain extends PlottedSeries {
  /** Final days or periods in the range. */
  readonly days: ChainDays;
  /** The latest days of the range and the month before them, ascending. */
  readonly recent: readonly DayRow[];
}

function joinChains(
  loaded: readonly LoadedChain[],
  shown: View,
  statuses: readonly ChainStatus[],
  today: UtcDay,
): Content {
  const chains = loaded.map(({ chain }) => chain);
  const columns = loaded.map(({ drawn }) => drawn);
  return {
    chains,
    columns,
    plot: plotOf(loaded, withPartials(datesOf({ ...shown, chains }, statuses, today), loaded), shown),
    cards: cardsOf(loaded, shown.figure),
    coverages: loaded.map((one) => viewCoverage(one, shown, statusOf(statuses, one.chain), today)),
    rows: joinRows(
      columns,
      shown.figure,
      loaded.map(({ partials = [] }) => partials),
    ),
  };
}

/** Adds the period that still runs to the dates of the axis. */
const withPartials = (dates: readonly string[], loaded: readonly LoadedChain[]): string[] =>
  [
    ...new Set([...dates, ...loaded.flatMap(({ partials = [] }) => partials.map(({ date }) => date))]),
  ].toSorted();

function cardsOf(loaded: readonly LoadedChain[], figure: Figure): readonly Card[] {
  const cards = loaded.map(({ chain, drawn, recent }) => ({
    chain,
    latest: latestOf(recent, figure),
    total: totalOf(drawn, figure),
  }));
  if (figure !== 'fees_usd') return cards;
  return ranked(
    cards.map((card, index) => ({ ...card, coins: totalOf(loaded[index]?.drawn ?? [], 'fees')?.sum })),
  );
}

/** Returns the lines below an image: its source and time, evidence, missing days and notes. */
export function imageNotes({ coverages, columns }: Content, view: View, source: string, now: Date): string[] {
  const rows = columns.flat();
  const count = (kind: 'checked' | 'archived') => rows.filter(({ evidence }) => evidence === kind).length;
  const [checked, archived] = [count('checked'), count('archived')];
  const weaker = [
    ...(checked > 0 ? [`${checked} passed consistency checks only`] : []),
    ...(archived > 0 ? [`${archived} come from an audited archive`] : []),
  ];
  const evidence =
    weaker.length === 0
      ? `All ${rows.length} figures are proven from the hash of a finalized block.`
      : `${rows.length - checked - archived} of ${rows.length} figures are proven from the hash of a finalized block; ${weaker.join('; ')}.`;
  const missing = coverages.flatMap(({ chain, missing, pending, withoutFigure }) => {
    const ranges = [...missing, ...pending, ...withoutFigure];
    return ranges.length === 0 ? [] : [`${chainLabel(chain)}: ${listDays(ranges)}`];
  });
  return [
    `Source: Chain Insights, ${source}, ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC. ${evidence}`,
    missing.length === 0 ? 'No day is missing.' : `Missing days: ${missing.join('; ')}.`,
    chartNotes(view),
  ];
}
