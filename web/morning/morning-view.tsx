import { line } from 'd3-shape';
import { useMemo, useState } from 'preact/hooks';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import { Button, dated, Notices } from '../controls/elements.tsx';
import { type Api, type StatusOfChain, statusOf } from '../data/api-client.ts';
import { useDays } from '../data/use-days.ts';
import { type Amount, formatRounded, toNumber } from '../model/amounts.ts';
import { join } from '../model/captions.ts';
import { countOf } from '../model/coverage.ts';
import { chainLabel, colorOf, formatChange } from '../model/labels.ts';
import type { Span } from '../model/sums.ts';
import { formatView, type View } from '../model/view.ts';
import { type MorningFigure, type MorningRow, morningFigures, morningQuery, morningRows } from './morning.ts';

interface Props {
  readonly api: Api;
  readonly statuses: readonly StatusOfChain[];
  readonly view: View;
  readonly today: UtcDay;
  readonly onKeyRefused: (reason: string) => void;
}

export function Morning({ api, statuses, view, today, onKeyRefused }: Props) {
  const [figure, setFigure] = useState<MorningFigure>('fees');
  const queries = statuses.map(({ chain }) => morningQuery(chain, today));
  const both = queries.map((query) => ({ series: query, days: query }));
  const { sources, errorTexts, pending, retry } = useDays(api, queries, both, statuses, onKeyRefused);
  const rows = useMemo(() => morningRows(sources, figure, today), [sources, figure, today]);
  return (
    <>
      <Notices texts={errorTexts} onRetry={retry} />
      <section class="card morning" aria-labelledby="morning-title" aria-busy={pending.length > 0}>
        <h1 id="morning-title" tabIndex={-1}>
          {dated(`The morning of ${today}`)}
        </h1>
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
        <MorningTable {...{ rows, statuses, figure, today, view }} />
        <p class="note">{noteOf(rows, pending.length)}</p>
      </section>
    </>
  );
}

const noteOf = (rows: readonly MorningRow[], pending: number): string =>
  join([
    pending > 0 && `${countOf(pending, 'chain')} ${pending === 1 ? 'is' : 'are'} still loading.`,
    'A mean is the average of the days that have a final figure.',
    'The percentage beside it compares it with the mean of as many days before, where all of these days have a figure.',
    rows.some(({ place }) => place) && 'Chains are ranked by the mean of 30 days.',
    new Set(rows.map(({ unit }) => unit)).size > 1 && 'Chains of different coins are not ranked together.',
  ]);

interface TableProps extends Pick<Props, 'statuses' | 'view' | 'today'> {
  readonly rows: readonly MorningRow[];
  readonly figure: MorningFigure;
}

/** A mean of one day compares with a sum of many only if each column says what it is. */
const headings = [
  'Chain',
  'Yesterday',
  'Mean of 7 days',
  'Mean of 30 days',
  'Sum of this month',
  '30 days, change in a year',
  'The last 30 days',
];

function MorningTable(props: TableProps) {
  if (props.rows.length === 0) return <div class="skeleton" role="status" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys can scroll only what has the focus
    <section class="scroll" tabIndex={0} aria-label="Chains this morning">
      <table translate={false}>
        <thead>
          <tr>
            {headings.map((label) => (
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

function ChainRow({ row, statuses, figure, today, view }: TableProps & { readonly row: MorningRow }) {
  const { chain, unit, place, yesterday, week, month, toDate, year } = row;
  const last = statusOf(statuses, chain)?.last_final_day;
  const { day: _, ...rest } = view;
  const link = formatView({ ...rest, chains: [chain], isMorning: false });
  const cells = [
    yesterday.mean === undefined && last !== addDays(today, -1) ? (
      <em>{last ? `not final: last is ${last}` : 'no final day'}</em>
    ) : (
      <SpanText span={yesterday} amount={yesterday.mean} />
    ),
    <SpanText key="week" span={week} amount={week.mean} />,
    <SpanText key="month" span={month} amount={month.mean} />,
    figure === 'average_fee' ? '–' : <SpanText key="sum" span={toDate} amount={toDate.sum} isSum />,
    formatChange(year.change),
    <Sparkline key="line" amounts={row.line} />,
  ];
  return (
    <tr style={colorOf(chain)}>
      <th scope="row">
        {place && `${place}. `}
        <a href={`?${link}`}>{chainLabel(chain)}</a> <small>{unit}</small>
      </th>
      {cells.map((cell, index) => (
        <td key={headings[index + 1]} data-label={headings[index + 1]}>
          {cell}
        </td>
      ))}
    </tr>
  );
}

interface SpanProps {
  readonly span: Span;
  readonly amount: Amount | undefined;
  readonly isSum?: boolean;
}

/** Shows a mean with its change, or a sum, which is compared with nothing. */
const SpanText = ({ span: { change, have, of }, amount, isSum }: SpanProps) =>
  amount === undefined ? (
    <em>no final figure</em>
  ) : (
    <>
      {formatRounded(amount, 4)} {!isSum && change !== undefined && <small>{formatChange(change)}</small>}
      {have < of && <small> {`${have} of ${of} days`}</small>}
    </>
  );

const [WIDTH, HEIGHT] = [120, 28];

function Sparkline({ amounts }: { readonly amounts: readonly (Amount | undefined)[] }) {
  const known = amounts.filter((amount) => amount !== undefined).map(toNumber);
  const highest = Math.max(...known, Number.MIN_VALUE);
  const path = line<Amount | undefined>()
    .defined((amount) => amount !== undefined)
    .x((_, index) => (WIDTH * index) / (amounts.length - 1))
    .y((amount = 0n) => HEIGHT - 2 - ((HEIGHT - 4) * toNumber(amount)) / highest)
    .digits(1)(amounts);
  return (
    <svg class="spark" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={path ?? ''} fill="none" stroke="var(--chain)" stroke-width="1.5" />
    </svg>
  );
}
