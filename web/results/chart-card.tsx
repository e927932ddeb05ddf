import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { ChainName } from '../../core/chains/chains.ts';
import { Charts } from '../chart/charts.tsx';
import { EventList } from '../chart/event-list.tsx';
import { renderImage } from '../chart/image.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import type { LinkedView } from '../controls/use-view.ts';
import type { ChainStatus } from '../data/api-client.ts';
import { type Content, imageNotes } from '../model/content.ts';
import { coverageText } from '../model/coverage.ts';
import { figures, hasFigure } from '../model/figures.ts';
import { chainLabel, chartNotes, fileName, fullTitle, viewTitle } from '../model/labels.ts';
import { type DateRange, inDays } from '../model/periods.ts';
import { toCsv } from '../model/rows.ts';
import { canAverage, isStacked, type View } from '../model/view.ts';
import { CoverageBadge } from './coverage-badge.tsx';
import { download } from './downloads.ts';

interface Props {
  /** Undefined while it is loaded. */
  readonly content: Content | undefined;
  /** The view of the content. */
  readonly shown: View;
  /** Chains that have not answered yet. */
  readonly pending: readonly ChainName[];
  /** Chains that could not be loaded. */
  readonly failed: readonly ChainName[];
  readonly statuses: readonly ChainStatus[];
  readonly linked: LinkedView;
  readonly isEmbedded: boolean;
  readonly zoom: (range: DateRange) => void;
  readonly onSelect: (chain: ChainName, date: string) => void;
  readonly onChooseDay: (chain: ChainName, date: string) => void;
  readonly onPreview: (range: DateRange | undefined) => void;
}

/** Shows the charts with their title, coverage and tools. */
export function ChartCard(props: Props) {
  const { content, shown, pending, failed, statuses, linked, isEmbedded } = props;
  const charts = useRef<HTMLDivElement>(null);
  const message = messageOf(content, shown, failed);
  return (
    <section class="card chart-card" aria-labelledby="chart-title" aria-busy={pending.length > 0}>
      <header class="head">
        <h1 id="chart-title">{viewTitle(shown)}</h1>
        {content && content.coverages.length > 0 && (
          <CoverageBadge
            {...{ failed, statuses }}
            coverages={content.coverages}
            interval={shown.interval}
            onSelect={props.onChooseDay}
          />
        )}
        {content && pending.length > 0 && (
          <p class="muted" role="status">
            Loading {pending.map(chainLabel).join(', ')} …
          </p>
        )}
      </header>
      <Tools
        {...{ content, shown, linked, isEmbedded }}
        isDrawn={!message}
        chartsOf={() => panelsIn(charts.current)}
      />
      <div class="charts" ref={charts}>
        {message ??
          (content && (
            <Charts
              plot={content.plot}
              view={shown}
              onSelect={props.onSelect}
              onZoom={props.zoom}
              onPreview={props.onPreview}
              onReset={linked.resetZoom}
            />
          ))}
      </div>
      {!message && <p class="note">{chartNotes(shown)}</p>}
      {!message && shown.hasEvents && content && <EventList dates={content.plot.dates} view={shown} />}
    </section>
  );
}

const panelsIn = (element: HTMLElement | null): HTMLElement[] => [
  ...(element?.querySelectorAll<HTMLElement>('.panel') ?? []),
];

/** Returns a message that replaces the charts, or undefined if they can be drawn. */
function messageOf(
  content: Content | undefined,
  shown: View,
  failed: readonly ChainName[],
): ComponentChildren {
  const { chains, start_date, end_date } = shown;
  if (chains.length === 0) return <Message title="Select at least one chain." />;
  if (start_date > end_date)
    return (
      <Message
        title="The first day is after the last day."
        text={`${start_date} is after ${end_date}. Change one of them.`}
      />
    );
  if (!content)
    return (
      <div class="skeleton" role="status">
        <span class="unseen">Loading …</span>
      </div>
    );
  if (content.rows.length > 0) return undefined;
  if (chains.every((chain) => !hasFigure(chain, shown.figure)))
    return <Message title={`${figures[shown.figure]} do not exist on these chains.`} />;
  // Nothing is known about the figures of a chain that was not loaded.
  if (failed.length > 0)
    return <Message title="Not loaded." text={`${failed.map(chainLabel).join(', ')}: see above.`} />;
  const reasons = content.coverages.map(
    (coverage) => `${chainLabel(coverage.chain)} ${coverageText(coverage)}`,
  );
  const short =
    inDays(shown.interval) === 'day'
      ? ''
      : `No complete ${shown.interval} has a final figure. Choose a longer range or a shorter period. `;
  return <Message title="No final figure in this range." text={`${short}${reasons.join(' ')}`} />;
}

const Message = ({ title, text }: { readonly title: string; readonly text?: string }) => (
  <div class="empty" role="status">
    <strong>{title}</strong>
    {text && <span>{text}</span>}
  </div>
);

interface ToolsProps extends Pick<Props, 'content' | 'shown' | 'linked' | 'isEmbedded'> {
  readonly isDrawn: boolean;
  readonly chartsOf: () => readonly HTMLElement[];
}

/** Shows the switches of the chart, and the ways to take data out. */
function Tools(props: ToolsProps) {
  const { shown, linked, isEmbedded } = props;
  const { isZoomed, resetZoom, change } = linked;
  const toggle = (label: string, name: 'hasAverage' | 'isLog' | 'hasEvents') => (
    <Button aria-pressed={shown[name]} onClick={() => change({ [name]: !shown[name] })}>
      {label}
    </Button>
  );
  return (
    <div class="tools">
      {isZoomed && <Button onClick={resetZoom}>Reset zoom</Button>}
      {canAverage(shown) && toggle('7-day average', 'hasAverage')}
      {!isStacked(shown.mode) && toggle('Log', 'isLog')}
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

function Exports({ content, shown, isDrawn, chartsOf }: ToolsProps) {
  const copyLink = <CopyButton label="Copy link" text={() => location.href} />;
  if (!isDrawn || !content) return copyLink;
  return (
    <>
      <Button aria-label="Download CSV" onClick={() => saveCsv(content, shown)}>
        CSV
      </Button>
      <Button aria-label="Download PNG" onClick={() => void saveImage(content, shown, chartsOf())}>
        PNG
      </Button>
      {copyLink}
    </>
  );
}

function saveCsv({ chains, rows }: Content, shown: View): void {
  const text = toCsv(shown.figure, chains, rows);
  download(fileName({ ...shown, chains }, 'csv'), new Blob([text], { type: 'text/csv' }));
}

async function saveImage(content: Content, shown: View, charts: readonly HTMLElement[]): Promise<void> {
  const view = { ...shown, chains: content.chains };
  const notes = imageNotes(content, view, location.origin, new Date());
  download(fileName(view, 'png'), await renderImage(charts, { title: fullTitle(view), notes }));
}
