import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type ChainName, chainNames, chainOf } from '../../core/chains/chains.ts';
import { addDays, earlier, later, type UtcDay } from '../../core/figures/calendar.ts';
import { Notices } from '../controls/notices.tsx';
import type { LinkedView } from '../controls/use-view.ts';
import { type Api, ApiError, type ChainStatus } from '../data/api-client.ts';
import { useDays } from '../data/use-days.ts';
import { DayPanel } from '../day/day-panel.tsx';
import { reasonsOf } from '../day/why-day.ts';
import { type ChainError, type Content, contentOf, type Find, type Loading } from '../model/content.ts';
import { chainLabel } from '../model/labels.ts';
import { type DateRange, firstDayIn, inDays, lastDayIn } from '../model/periods.ts';
import { dayQuery } from '../model/queries.ts';
import { type ChosenDay, unavailableOptions, type View } from '../model/view.ts';
import { Cards } from './cards.tsx';
import { ChartCard } from './chart-card.tsx';
import { CurlPanel } from './curl-panel.tsx';
import { FigureTable } from './table.tsx';

interface Props {
  readonly api: Api;
  readonly statuses: readonly ChainStatus[];
  readonly linked: LinkedView;
  readonly today: UtcDay;
  readonly isEmbedded: boolean;
  readonly onKeyRefused: (reason: string) => void;
}

/** Loads a view and shows it: charts, one day, cards, table and commands. */
export function Results({ api, statuses, linked, today, isEmbedded, onKeyRefused }: Props) {
  const { view, change } = linked;
  const [preview, setPreview] = useState<DateRange>();
  const { find, retry, version } = useDays(api, view, statuses);
  const shown = useMemo(() => (preview ? { ...view, ...preview } : view), [view, preview]);
  const loading = useMemo(
    () => contentOf(find, view, shown, statuses, today),
    [find, version, shown, statuses, today],
  );
  const errors = loading.state === 'loaded' ? loading.errors : [];
  const refusal = errors.find(([, error]) => error.isKeyRefused)?.[1].message;
  useEffect(() => {
    if (refusal) onKeyRefused(refusal);
  }, [refusal]);
  const drawn = useDrawn(loading, shown);
  const select = (chain: ChainName, date: string) => {
    if (inDays(view.interval) === 'day') change({ day: { chain, date: firstDayIn(date) } });
    else change({ interval: 'day', ...daysOfPeriod(chain, date, lastDayIn(date, view.interval), today) });
  };
  const zoom = (range: DateRange) => {
    setPreview(undefined);
    linked.zoom({ start_date: range.start_date, end_date: earlier(range.end_date, addDays(today, -1)) });
  };
  return (
    <>
      <Notices texts={errorTexts(errors, view)} onRetry={retry} />
      <div class={view.day && !isEmbedded ? 'beside' : undefined}>
        <ChartCard
          {...{ ...drawn, statuses, linked, zoom, isEmbedded }}
          failed={errors.map(([chain]) => chain)}
          onSelect={select}
          onChooseDay={(chain, date) => change({ day: { chain, date } })}
          onPreview={setPreview}
        />
        {!isEmbedded && <Day {...{ find, linked, today }} />}
      </div>
      {!isEmbedded && drawn.content && (
        <Details api={api} content={drawn.content} shown={drawn.shown} onSelect={select} />
      )}
    </>
  );
}

interface Drawn {
  /** Undefined while nothing can be drawn yet. */
  readonly content: Content | undefined;
  /** The view of the content. */
  readonly shown: View;
  /** Chains of the chosen view that have not answered yet. */
  readonly pending: readonly ChainName[];
}

/** In milliseconds. So long does the chart before stay in place of one that still lacks chains. */
const PATIENCE = 1_000;

/** Returns what to draw: the chart before until the new one has all its chains, but one slow chain does not hold back the others. */
function useDrawn(loading: Loading, shown: View): Drawn {
  const before = useRef<Drawn | undefined>(undefined);
  const [impatient, setImpatient] = useState<View>();
  const isWhole = loading.state === 'loaded' && loading.pending.length === 0;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => setImpatient(shown), PATIENCE);
    return () => clearTimeout(timer);
  }, [isWhole, shown]);
  // There is nothing to load: a note takes the place of the chart.
  if (shown.start_date > shown.end_date || shown.chains.length === 0)
    return { content: undefined, shown, pending: [] };
  const isTried = !before.current || impatient === shown;
  if (loading.state === 'loading')
    return { ...(before.current ?? { content: undefined, shown }), pending: shown.chains };
  const drawn = { content: loading.content, shown, pending: loading.pending };
  if (!isWhole && !isTried && before.current) return { ...before.current, pending: loading.pending };
  before.current = drawn;
  return drawn;
}

/** Names the chains that failed, unless all did. */
const errorTexts = (errors: readonly ChainError[], { chains }: View): string[] =>
  errors.map(([chain, { message }]) =>
    errors.length === chains.length ? message : `${chainLabel(chain)}: ${message}`,
  );

/** Returns the days of a period that are over, since the chain's first day. */
const daysOfPeriod = (chain: ChainName, first: UtcDay, last: UtcDay, today: UtcDay): DateRange => ({
  start_date: later(first, chainOf(chain).firstDay),
  end_date: earlier(last, addDays(today, -1)),
});

function Day({ find, linked, today }: { readonly find: Find } & Pick<Props, 'linked' | 'today'>) {
  const { view, change, closeDay } = linked;
  if (!view.day) return null;
  const found = find(dayQuery(view.day));
  if (found instanceof ApiError) return null;
  const row = found ? found.rows.find(({ date }) => date === view.day?.date) : 'loading';
  const { date } = view.day;
  const daysOf = (chain: ChainName) => find(dayQuery({ chain, date }));
  const choose = (day: ChosenDay | undefined) => (day ? change({ day }) : closeDay());
  const showHours = ({ chain, date }: ChosenDay) => {
    const chains = chainNames.filter((name) => name === chain || view.chains.includes(name));
    const figure = 'hour' in unavailableOptions(view) ? 'fees' : view.figure;
    change({ chains, figure, interval: 'hour', start_date: date, end_date: date });
  };
  return (
    <DayPanel
      day={view.day}
      row={row}
      reasons={reasonsOf(view.day.chain, view.day.date, view.chains, daysOf)}
      chains={view.chains}
      today={today}
      onChoose={choose}
      onShowHours={showHours}
    />
  );
}

interface DetailsProps extends Pick<Props, 'api'> {
  readonly content: Content;
  readonly shown: View;
  readonly onSelect: (chain: ChainName, date: string) => void;
}

function Details({ api, content, shown, onSelect }: DetailsProps) {
  const { chains, cards, rows } = content;
  if (rows.length === 0) return <Cards cards={cards} view={shown} onSelect={onSelect} />;
  return (
    <>
      <Cards cards={cards} view={shown} onSelect={onSelect} />
      <section class="card" aria-labelledby="table-title">
        <h2 id="table-title">Figures</h2>
        <FigureTable rows={rows} chains={chains} view={shown} />
      </section>
      <CurlPanel root={api.root} view={shown} />
    </>
  );
}
