import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, later, type UtcDay } from '../../core/figures/calendar.ts';
import { Button } from '../controls/button.tsx';
import { Notices } from '../controls/notices.tsx';
import { lastVisit } from '../controls/storage.ts';
import { type Api, ApiError, type ChainStatus, statusOf } from '../data/api-client.ts';
import { createDayCache } from '../data/day-cache.ts';
import { type Amount, formatRounded, toNumber } from '../model/amounts.ts';
import { chainLabel, formatChange } from '../model/labels.ts';
import type { ChainQuery } from '../model/queries.ts';
import { formatView, type View } from '../model/view.ts';
import {
  MORNING_DAYS,
  type MorningFigure,
  type MorningRow,
  morningFigures,
  morningRows,
  type Span,
} from './morning.ts';

interface Props {
  readonly api: Api;
  readonly statuses: readonly ChainStatus[];
  readonly view: View;
  readonly today: UtcDay;
  readonly onKeyRefused: (reason: string) => void;
}

/** Shows one row per chain: the latest days, ranked. */
export function Morning({ api, statuses, view, today, onKeyRefused }: Props) {
  const [figure, setFigure] = useState<MorningFigure>('fees');
  const { answers, errors, pending, retry } = useMorningDays(api, statuses, today);
  const refusal = errors.find(([, error]) => error.isKeyRefused)?.[1].message;
  useEffect(() => {
    if (refusal) onKeyRefused(refusal);
  }, [refusal]);
  const rows = useMemo(() => morningRows(answers, figure, today), [answers, figure, today]);
  const visit = useMemo(() => lastVisit(Object.fromEntries(statuses.map(lastDayOf))), []);
  return (
    <>
      <Notices
        texts={errors.map(([chain, { message }]) => `${chainLabel(chain)}: ${message}`)}
        onRetry={retry}
      />
      <section class="card morning" aria-labelledby="morning-title" aria-busy={pending > 0}>
        <header class="head">
          <h1 id="morning-title">The morning of {today}</h1>
        </header>
        <div class="tools">
          {Object.entries(morningFigures).map(([name, label]) => (
            <Button
              key={name}
              aria-pressed={name === figure}
              onClick={() => setFigure(name as MorningFigure)}
            >
              {label}
            </Button>
          ))}
        </div>
        <MorningTable {...{ rows, statuses, figure, visit, today, view }} />
        <p class="note">{noteOf(rows, pending)}</p>
      </section>
    </>
  );
}

const lastDayOf = ({ chain, lastFinalDay = '' }: ChainStatus) => [chain, lastFinalDay] as const;

const noteOf = (rows: readonly MorningRow[], pending: number): string =>
  [
    pending > 0 && `${pending} ${pending === 1 ? 'chain is' : 'chains are'} still loading.`,
    'Means are of one day. Days that are not final are in no mean, and no comparison lacks a day.',
    new Set(rows.map(({ unit }) => unit)).size > 1 && 'Chains of different coins are not ranked together.',
  ]
    .filter(Boolean)
    .join(' ');

/** Loads the last 30 days of each chain, and those a year before. */
function useMorningDays(api: Api, statuses: readonly ChainStatus[], today: UtcDay) {
  const updates = JSON.stringify(statuses.map(lastDayOf));
  const cache = useMemo(createDayCache, [api, updates]);
  const [version, setVersion] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const queries = useMemo(() => statuses.map(({ chain }) => morningQuery(chain, today)), [updates, today]);
  useEffect(() => {
    const loading = new AbortController();
    void cache.load(api, queries, loading.signal, () => setVersion((before) => before + 1));
    return () => loading.abort();
  }, [cache, queries, attempt]);
  const loaded = useMemo(() => {
    const found = queries.map((query) => [query.chain, cache.find(query)] as const);
    return {
      answers: found.flatMap(([chain, days]) =>
        days && !(days instanceof ApiError) ? [{ chain, rows: days.rows }] : [],
      ),
      errors: found.flatMap(([chain, days]) => (days instanceof ApiError ? [[chain, days] as const] : [])),
      pending: found.filter(([, days]) => !days).length,
    };
  }, [cache, queries, version]);
  const retry = () => {
    cache.forgetErrors();
    setAttempt(attempt + 1);
  };
  return { ...loaded, retry };
}

const morningQuery = (chain: ChainName, today: UtcDay): ChainQuery => ({
  chain,
  start_date: later(chainOf(chain).firstDay, addDays(today, -MORNING_DAYS)),
  end_date: addDays(today, -1),
  interval: 'day',
});

interface TableProps extends Pick<Props, 'statuses' | 'view' | 'today'> {
  readonly rows: readonly MorningRow[];
  readonly figure: MorningFigure;
  /** Last final day of each chain when this browser was here before; undefined on a first visit. */
  readonly visit: Readonly<Record<string, string>> | undefined;
}

function MorningTable(props: TableProps) {
  if (props.rows.length === 0) return <div class="skeleton" role="status" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys can scroll only what has the focus
    <section class="scroll" tabIndex={0} aria-label="Chains this morning">
      <table>
        <thead>
          <tr>
            {[
              'Chain',
              'Yesterday',
              '7 days',
              '30 days',
              'Month to date',
              'Year over year',
              'Last 30 days',
            ].map((label) => (
              <th scope="col" key={label}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <ChainRow key={row.chain} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ChainRow({ row, statuses, figure, visit, today, view }: TableProps & { readonly row: MorningRow }) {
  const { chain, unit, place, yesterday, week, month, toDate, year, line } = row;
  const last = statusOf(statuses, chain)?.lastFinalDay;
  const isNew = visit !== undefined && last !== undefined && (visit[chain] ?? '') < last;
  const { day: _, ...rest } = view;
  const link = formatView({ ...rest, chains: [chain], isMorning: false });
  const days = { have: toDate.have, of: toDate.of };
  return (
    <tr class={`chain-${chain}`}>
      <th scope="row">
        {place && `${place}. `}
        <a href={`?${link}`}>{chainLabel(chain)}</a>
        {isNew && <mark title={`Final days since your last visit: up to ${last}`}>new</mark>}
        <small>{unit}</small>
      </th>
      <td>
        {yesterday.mean === undefined && last !== addDays(today, -1) ? (
          <em>{last ? `final up to ${last}` : 'no final day'}</em>
        ) : (
          <SpanText span={yesterday} />
        )}
      </td>
      <td>
        <SpanText span={week} />
      </td>
      <td>
        <SpanText span={month} />
      </td>
      <td>
        {figure === 'average_fee' || toDate.sum === undefined ? (
          '–'
        ) : (
          <>
            {formatRounded(toDate.sum, 4)} <Part {...days} />
          </>
        )}
      </td>
      <td>{formatChange(year)}</td>
      <td>
        <Sparkline amounts={line} />
      </td>
    </tr>
  );
}

const SpanText = ({ span: { mean, change, have, of } }: { readonly span: Span }) =>
  mean === undefined ? (
    <em>no final figure</em>
  ) : (
    <>
      {formatRounded(mean, 4)} <small>{formatChange(change)}</small> <Part have={have} of={of} />
    </>
  );

const Part = ({ have, of }: { readonly have: number; readonly of: number }) =>
  have < of ? <small>{`${have} of ${of} days`}</small> : null;

/** In units of the view box. */
const [WIDTH, HEIGHT] = [120, 28];

/** Draws days in a small line with gaps. */
function Sparkline({ amounts }: { readonly amounts: readonly (Amount | undefined)[] }) {
  const known = amounts.filter((amount) => amount !== undefined).map(toNumber);
  const highest = Math.max(...known, Number.MIN_VALUE);
  let isOpen = false;
  const path = amounts
    .map((amount, index) => {
      if (amount === undefined) {
        isOpen = false;
        return '';
      }
      const x = (WIDTH * index) / (amounts.length - 1);
      const y = HEIGHT - 2 - ((HEIGHT - 4) * toNumber(amount)) / highest;
      const command = isOpen ? 'L' : 'M';
      isOpen = true;
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
  return (
    <svg class="spark" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
