import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, earlier, later, type UtcDay } from '../../core/figures/calendar.ts';
import { CopyButton, Notices } from '../controls/elements.tsx';
import { showNext } from '../controls/focus.ts';
import type { LinkedView } from '../controls/use-view.ts';
import { type Api, curlCommand, type StatusOfChain, statusOf } from '../data/api-client.ts';
import type { RunningRow } from '../data/rows.ts';
import { useDays } from '../data/use-days.ts';
import { useRunning } from '../data/use-running.ts';
import { DayPanel } from '../day/day-panel.tsx';
import { forkNotes } from '../model/captions.ts';
import type { ChainSource } from '../model/cells.ts';
import { hasFigure } from '../model/figures.ts';
import { firstDayIn, inDays, lastDayIn } from '../model/periods.ts';
import { allQueries, queriesOf } from '../model/queries.ts';
import { isContinued } from '../model/running.ts';
import { hasFigures, type Shown, shownOf } from '../model/shown.ts';
import type { View } from '../model/view.ts';
import { Cards } from './cards.tsx';
import { ChartCard } from './chart-card.tsx';
import { FigureTable } from './table.tsx';

interface Props {
  readonly api: Api;
  readonly statuses: readonly StatusOfChain[];
  readonly linked: LinkedView;
  readonly today: UtcDay;
  readonly isEmbedded: boolean;
  readonly onKeyRefused: (reason: string) => void;
}

export function Results({ api, statuses, linked, today, isEmbedded, onKeyRefused }: Props) {
  const { view, change } = linked;
  const yesterday = addDays(today, -1);
  const charted = view.chains.filter((chain) => hasFigure(chain, view.figure));
  const queries = charted.map((chain) => queriesOf(view, chain, today));
  const loaded = useDays(api, allQueries(view, today), queries, statuses, onKeyRefused);
  const { find, sources } = loaded;
  const isCounted = (chain: ChainName) => isContinued(view, today) && statusOf(statuses, chain) !== undefined;
  const running = useRunning(api, charted.filter(isCounted));
  const isNothing = loaded.pending.length > 0 && sources.length === 0;
  const latest = useMemo(
    () => (isNothing ? undefined : shownOf(view, withRunning(sources, running), today)),
    [isNothing, view, sources, running, today],
  );
  const { shown, pending } = usePatience(latest, loaded.pending, view);
  const select = (chain: ChainName, date: string) => {
    if (inDays(view.interval) === 'day') return change({ day: { chain, date: firstDayIn(date) } });
    const start_date = later(date, chainOf(chain).firstDay);
    change({ interval: 'day', start_date, end_date: earlier(lastDayIn(date, view.interval), yesterday) });
  };
  /** Cards select what is drawn above them. */
  const selectFromBelow = (chain: ChainName, date: string) => {
    select(chain, date);
    if (inDays(view.interval) !== 'day') showNext('chart-title');
  };
  const chooseChain = (chain: ChainName) => {
    change({ chains: [chain] });
    showNext('chart-title');
  };
  const forks = forkNotes(view.chains, statuses);
  const hasRest = !isEmbedded && shown !== undefined && shown.chains.length > 0;
  return (
    <>
      <Notices texts={loaded.errorTexts} onRetry={loaded.retry} />
      <div class={view.day && !isEmbedded ? 'beside' : undefined}>
        <ChartCard {...{ shown, pending, linked, isEmbedded }} failed={loaded.failed} onSelect={select} />
        {!isEmbedded && view.day && (
          <DayPanel {...{ find, linked, today }} day={view.day} status={statusOf(statuses, view.day.chain)} />
        )}
        {hasRest && <Cards shown={shown} onSelect={selectFromBelow} onChooseChain={chooseChain} />}
      </div>
      {!isEmbedded && forks && (
        <p class="note" translate={false}>
          {forks}
        </p>
      )}
      {hasRest && hasFigures(shown) && (
        <>
          <FigureTable shown={shown} />
          <CurlPanel root={api.root} shown={shown} />
        </>
      )}
    </>
  );
}

const withRunning = (sources: readonly ChainSource[], rows: readonly RunningRow[]) =>
  sources.map((source) => ({ ...source, running: rows.find(({ chain }) => chain === source.chain) }));

/** In milliseconds. So long does the chart before stay in place of one that still lacks chains. */
const PATIENCE = 1_000;

/** Keeps what was shown before until the new view has all its chains; but one slow chain does not hold back the others. */
function usePatience(latest: Shown | undefined, pending: readonly ChainName[], view: View) {
  const before = useRef<Shown>(undefined);
  const [impatient, setImpatient] = useState<View>();
  useEffect(() => {
    const timer = setTimeout(() => setImpatient(view), PATIENCE);
    return () => clearTimeout(timer);
  }, [view]);
  // There is nothing to load: a note takes the place of the chart.
  if (view.start_date > view.end_date || view.chains.length === 0) return { shown: undefined, pending: [] };
  const isTried = pending.length === 0 || !before.current || impatient === view;
  if (latest && isTried) before.current = latest;
  return { shown: before.current, pending };
}

function CurlPanel({ root, shown }: { readonly root: string; readonly shown: Shown }) {
  const chains = shown.chains.map(({ chain }) => chain);
  const command = curlCommand(root, chains, shown.view);
  return (
    <section class="card curl" aria-labelledby="curl-title">
      <header class="head">
        <h2 id="curl-title">Get these figures with curl</h2>
        <div class="tools">
          <CopyButton label="Copy" text={() => command} />
        </div>
      </header>
      <pre id="curl" translate={false}>
        <code>{command}</code>
      </pre>
      <p class="note">
        Set the variable <code translate={false}>CHAIN_INSIGHTS_KEY</code> to your key first. See the{' '}
        <a href="docs">API reference</a> for more.
      </p>
    </section>
  );
}
