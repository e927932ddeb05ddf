import type { ChainName } from '../../core/chains/chains.ts';
import { Charts } from '../chart/charts.tsx';
import { renderImage } from '../chart/image.tsx';
import { Button, CopyButton, dated } from '../controls/elements.tsx';
import { showNext } from '../controls/focus.ts';
import type { LinkedView } from '../controls/use-view.ts';
import { chartNotes, emptyText, imageNotes, runningNote } from '../model/captions.ts';
import { countOf, coverageSummary, coverageText } from '../model/coverage.ts';
import { eventsBetween } from '../model/events.ts';
import { chainLabel, fileName, listLabels, markedTitle, viewTitle } from '../model/labels.ts';
import { isInvented, metaText, sampleNote } from '../model/offered.ts';
import { lastDayIn } from '../model/periods.ts';
import type { Shown } from '../model/shown.ts';
import { toCsv } from '../model/table-rows.ts';
import { canAverage, formatView, isStacked } from '../model/view.ts';

interface Props {
  /** Undefined while it is loaded. It may still be of the view before. */
  readonly shown: Shown | undefined;
  /** Chains that have not answered yet. */
  readonly pending: readonly ChainName[];
  readonly failed: readonly ChainName[];
  readonly linked: LinkedView;
  readonly isEmbedded: boolean;
  readonly onSelect: (chain: ChainName, date: string) => void;
}

export function ChartCard(props: Props) {
  const { shown, pending, linked } = props;
  const message = emptyText(linked.view, shown, props.failed);
  const drawn = message === undefined ? shown : undefined;
  return (
    <section class="card chart-card" aria-labelledby="chart-title" aria-busy={pending.length > 0}>
      <header class="head">
        <h1 id="chart-title" tabIndex={-1}>
          {dated(viewTitle(shown?.view ?? linked.view))}
        </h1>
        {shown && shown.chains.length > 0 && <CoverageBadge {...props} shown={shown} />}
        {shown && pending.length > 0 && (
          <p class="muted" role="status">
            Loading {pending.map(chainLabel).join(', ')} …
          </p>
        )}
      </header>
      <Tools {...{ drawn, linked }} isEmbedded={props.isEmbedded} />
      <div class="charts">
        {drawn ? (
          <Charts shown={drawn} onSelect={props.onSelect} onZoom={linked.zoom} onReset={linked.resetZoom} />
        ) : (
          <p class={message ? 'empty' : 'skeleton'} role="status">
            {dated(message ?? 'Loading …')}
          </p>
        )}
      </div>
      {drawn?.runningDay && (
        <p class="note" translate={false}>
          {runningNote(drawn)}
        </p>
      )}
      {drawn && <p class="note">{dated(chartNotes(drawn))}</p>}
      {drawn?.view.hasEvents && <EventList shown={drawn} />}
    </section>
  );
}

/** States in a few words whether days are missing, and lists them when opened. Each date opens its day, or shows the days of its period. */
function CoverageBadge({ shown, failed, onSelect }: Props & { readonly shown: Shown }) {
  const { text, isMissing } = coverageSummary(shown);
  const groups = Map.groupBy(shown.chains, (chain) => coverageText(shown, chain));
  return (
    <details class="badge" data-missing={isMissing}>
      <summary translate={false}>
        {failed.length > 0 && `${listLabels(failed)} not loaded; others: `}
        {dated(text)}
      </summary>
      <ul>
        {Array.from(groups, ([each, chains]) => (
          <li key={each}>
            <b translate={false}>{chains.map(({ chain }) => chainLabel(chain)).join(', ')}</b>{' '}
            {dated(each, (date) => (
              <Button class="link" key={date} onClick={() => chains[0] && onSelect(chains[0].chain, date)}>
                {date}
              </Button>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

function EventList({ shown: { dates, view } }: { readonly shown: Shown }) {
  const [first = '', last = first] = [dates[0], dates.at(-1)];
  const events = eventsBetween(view.chains, first, lastDayIn(last, view.interval));
  if (events.length === 0) return null;
  return (
    <details class="event-list">
      <summary translate={false}>{countOf(events.length, 'event')} in this range</summary>
      <ul>
        {events.map(({ date, name, chains, effect, source }) => (
          <li key={name + date}>
            {dated(date)} <b translate={false}>{name}</b> ({chains.map(chainLabel).join(', ')}): {effect}.{' '}
            <a href={source} rel="noreferrer" target="_blank">
              Source<span class="unseen"> of {name}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

type ToolsProps = Pick<Props, 'linked' | 'isEmbedded'> & { readonly drawn: Shown | undefined };

function Tools({ drawn, linked, isEmbedded }: ToolsProps) {
  const { view } = linked;
  const toggle = (label: string, name: 'hasAverage' | 'isLog' | 'hasEvents') => (
    <Button aria-pressed={view[name]} onClick={() => linked.change({ [name]: !view[name] })}>
      {label}
    </Button>
  );
  const linkTo = (page: string) => new URL(`${page}?${formatView(view)}`, location.href).href;
  const resetZoom = () => {
    linked.resetZoom();
    // The button disappears.
    showNext('chart-title');
  };
  return (
    <div class="tools">
      {linked.isZoomed && <Button onClick={resetZoom}>Reset zoom</Button>}
      {canAverage(view) && toggle('7-day average', 'hasAverage')}
      {!isStacked(view.mode) && toggle('Log', 'isLog')}
      {toggle('Events', 'hasEvents')}
      {isEmbedded ? (
        <a href={`./${location.search}`} target="_blank" rel="noreferrer">
          Open in Chain Insights
        </a>
      ) : (
        <>
          {drawn && <Exports shown={drawn} />}
          <CopyButton label="Copy link" text={() => linkTo('.')} />
          {metaText('embed') && (
            <CopyButton
              label="Copy embed"
              text={() => `<iframe src="${linkTo('embed')}" width="800" height="640"></iframe>`}
            />
          )}
        </>
      )}
    </div>
  );
}

function download(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  // By then the download has started, and the browser keeps the data that it reads.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

function Exports({ shown }: { readonly shown: Shown }) {
  const view = { ...shown.view, chains: shown.chains.map(({ chain }) => chain) };
  const saveCsv = () => download(fileName(view, 'csv'), new Blob([toCsv(shown)], { type: 'text/csv' }));
  const saveImage = async () => {
    const notes = [
      ...(view.chains.some(isInvented) ? [sampleNote] : []),
      ...imageNotes(shown, location.origin, new Date()),
    ];
    download(fileName(view, 'png'), await renderImage({ shown, title: markedTitle(view), notes }));
  };
  return (
    <>
      <Button aria-label="Download CSV" onClick={saveCsv}>
        CSV
      </Button>
      <Button aria-label="Download PNG" onClick={() => void saveImage()}>
        PNG
      </Button>
    </>
  );
}
