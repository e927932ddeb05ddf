import type { ComponentChildren } from 'preact';
import type { ChainName } from '../../core/chains/chains.ts';
import { Charts } from '../chart/charts.tsx';
import { renderImage } from '../chart/image.tsx';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { showNext } from '../controls/focus.ts';
import type { LinkedView } from '../controls/use-view.ts';
import { chartNotes, imageNotes } from '../model/captions.ts';
import { behindText, countOf, coverageSummary, coverageText, groupByText } from '../model/coverage.ts';
import { eventsBetween } from '../model/events.ts';
import { figures } from '../model/figures.ts';
import { chainLabel, fileName, fullTitle, listLabels, viewTitle } from '../model/labels.ts';
import { type DateRange, inDays, lastDayIn } from '../model/periods.ts';
import type { Shown } from '../model/shown.ts';
import { toCsv } from '../model/table-rows.ts';
import { canAverage, isStacked } from '../model/view.ts';

interface Props {
  /** Undefined while it is loaded. It may still be of the view before. */
  readonly shown: Shown | undefined;
  /** True if there is a figure, or a part of one. */
  readonly hasFigures: boolean;
  /** Chains that have not answered yet. */
  readonly pending: readonly ChainName[];
  readonly failed: readonly ChainName[];
  readonly linked: LinkedView;
  readonly isEmbedded: boolean;
  readonly zoom: (range: DateRange) => void;
  readonly onSelect: (chain: ChainName, date: string) => void;
  readonly onChooseDay: (chain: ChainName, date: string) => void;
}

export function ChartCard(props: Props) {
  const { shown, pending, linked } = props;
  const message = messageOf(props);
  const resetZoom = () => {
    linked.resetZoom();
    // The button disappears.
    showNext('chart-title');
  };
  return (
    <section class="card chart-card" aria-labelledby="chart-title" aria-busy={pending.length > 0}>
      <header class="head">
        <h1 id="chart-title" tabIndex={-1}>
          {viewTitle(shown?.view ?? linked.view)}
        </h1>
        {shown && shown.chains.length > 0 && <CoverageBadge {...props} shown={shown} />}
        {shown && pending.length > 0 && (
          <p class="muted" role="status">
            Loading {pending.map(chainLabel).join(', ')} …
          </p>
        )}
      </header>
      <Tools {...props} isDrawn={!message} resetZoom={resetZoom} />
      <div class="charts">
        {message ??
          (shown && (
            <Charts shown={shown} onSelect={props.onSelect} onZoom={props.zoom} onReset={linked.resetZoom} />
          ))}
      </div>
      {!message && shown && <p class="note">{chartNotes(shown)}</p>}
      {!message && shown?.view.hasEvents && <EventList shown={shown} />}
    </section>
  );
}

/** States in a few words whether days are missing, and lists them when opened. Each date opens its day. */
function CoverageBadge({ shown, failed, onChooseDay }: Props & { readonly shown: Shown }) {
  const { text, isMissing } = coverageSummary(shown);
  const groups = groupByText(shown, (chain) => coverageText(shown, chain) + behindText(chain));
  return (
    <details class="badge" data-missing={isMissing}>
      <summary>
        {failed.length > 0 && `${listLabels(failed)} not loaded; others: `}
        {text}
      </summary>
      <ul>
        {Array.from(groups, ([each, chains]) => (
          <li key={each}>
            <b>{chains.map(chainLabel).join(', ')}</b>{' '}
            {each.split(/(\d{4}-\d\d-\d\d)/).map((part, index) =>
              index % 2 === 0 ? (
                part
              ) : (
                <button
                  type="button"
                  class="link"
                  key={part}
                  onClick={() => chains[0] && onChooseDay(chains[0], part)}
                >
                  {part}
                </button>
              ),
            )}
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
      <summary>{countOf(events.length, 'event')} in this range</summary>
      <ul>
        {events.map(({ date, name, chains, effect, source }) => (
          <li key={name + date}>
            {date} <b>{name}</b> ({chains.map(chainLabel).join(', ')}): {effect}.{' '}
            <a href={source} rel="noreferrer" target="_blank">
              Source<span class="unseen"> of {name}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Returns a message that replaces the charts, or undefined if they can be drawn. */
function messageOf({ shown, linked, failed, hasFigures }: Props): ComponentChildren {
  const { chains, start_date, end_date } = linked.view;
  if (chains.length === 0) return <Message title="Select at least one chain." />;
  if (start_date > end_date)
    return (
      <Message
        title="The first day is after the last day."
        text={`${start_date} is after ${end_date}. Change one of them.`}
      />
    );
  if (!shown)
    return (
      <div class="skeleton" role="status">
        <span class="unseen">Loading …</span>
      </div>
    );
  if (hasFigures) return undefined;
  if (shown.without.length === shown.view.chains.length)
    return <Message title={`${figures[shown.view.figure]} do not exist on these chains.`} />;
  // Nothing is known about the figures of a chain that was not loaded.
  if (failed.length > 0) return <Message title="Not loaded." text={`${listLabels(failed)}: see above.`} />;
  const reasons = shown.chains.map((chain) => `${chainLabel(chain.chain)} ${coverageText(shown, chain)}`);
  const { interval } = shown.view;
  const isLacking = shown.chains.some(({ cells }) => cells.some(({ state }) => state === 'lacking'));
  const short =
    inDays(interval) === 'day' || isLacking
      ? ''
      : `No complete ${interval} has a final figure. Choose a longer range or a shorter period. `;
  return <Message title="No final figure in this range." text={`${short}${reasons.join(' ')}`} />;
}

const Message = ({ title, text }: { readonly title: string; readonly text?: string }) => (
  <div class="empty" role="status">
    <strong>{title}</strong>
    {text && <span>{text}</span>}
  </div>
);

interface ToolsProps extends Pick<Props, 'shown' | 'linked' | 'isEmbedded'> {
  readonly isDrawn: boolean;
  readonly resetZoom: () => void;
}

function Tools(props: ToolsProps) {
  const { linked, isEmbedded, resetZoom } = props;
  const { view } = linked;
  const toggle = (label: string, name: 'hasAverage' | 'isLog' | 'hasEvents') => (
    <Button aria-pressed={view[name]} onClick={() => linked.change({ [name]: !view[name] })}>
      {label}
    </Button>
  );
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
        <Exports {...props} />
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

function Exports({ shown, isDrawn }: ToolsProps) {
  const copyLink = <CopyButton label="Copy link" text={() => location.href} />;
  if (!isDrawn || !shown) return copyLink;
  const view = { ...shown.view, chains: shown.chains.map(({ chain }) => chain) };
  const saveCsv = () => download(fileName(view, 'csv'), new Blob([toCsv(shown)], { type: 'text/csv' }));
  const saveImage = async () => {
    const notes = imageNotes(shown, location.origin, new Date());
    download(fileName(view, 'png'), await renderImage({ shown, title: fullTitle(view), notes }));
  };
  return (
    <>
      <Button aria-label="Download CSV" onClick={saveCsv}>
        CSV
      </Button>
      <Button aria-label="Download PNG" onClick={() => void saveImage()}>
        PNG
      </Button>
      {copyLink}
    </>
  );
}
