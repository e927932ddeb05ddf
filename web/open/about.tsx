import { useMemo } from 'preact/hooks';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { Charts } from '../chart/charts.tsx';
import type { ChainDays, DayRow } from '../data/api-client.ts';
import { groupThousands } from '../model/amounts.ts';
import { contentOf } from '../model/content.ts';
import { figures } from '../model/figures.ts';
import { chainLabel } from '../model/labels.ts';
import { shownChains } from '../model/offered.ts';
import { parseView, type View } from '../model/view.ts';
import { type OpenDays, useOpenDays } from './public-days.ts';

/** Address to ask for a key, as the operator set it; empty where none is set. */
const keyUrl = document.querySelector<HTMLMetaElement>('meta[name=key-url]')?.content ?? '';

const names = shownChains.map(chainLabel);
const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** Tells a visitor without a key what this is, and how to get a key. */
export const Welcome = () => (
  <section class="about" aria-labelledby="about-title">
    <h1 id="about-title">Exact daily figures of {names.length} chains</h1>
    <p>
      How many transactions did {list.format(names)} carry each UTC day, and what did people pay in fees? This
      service answers with every digit, and recomputes each day from the bytes of its blocks.
    </p>
    <p>
      {keyUrl ? <a href={keyUrl}>Ask for a key</a> : 'To get a key, ask the operator of this service.'} The{' '}
      <a href="docs">API reference</a> is open to everyone.
    </p>
  </section>
);

/** Shows a visitor without a key a chart, and the proof of a day line by line. */
export function About({ today }: { readonly today: UtcDay }) {
  const open = useOpenDays(new URL('.', location.href).href, today);
  return (
    <>
      {open && <OpenChart open={open} today={today} />}
      {open && <Proof open={open} />}
      <section class="card about" aria-labelledby="figures-title">
        <h2 id="figures-title">What you can chart</h2>
        <p>{Object.values(figures).join(', ')}: by hour, day, week, month, quarter or year.</p>
        <p>A day that is not final has no figure, and never 0.</p>
      </section>
    </>
  );
}

interface OpenProps {
  readonly open: OpenDays;
  readonly today: UtcDay;
}

const ignore = () => {};

function OpenChart({ open: { chains, isSample }, today }: OpenProps) {
  const { plot, view } = useMemo(() => {
    const dates = chains.flatMap(({ rows }) => rows.map(({ date }) => date)).toSorted();
    const [start_date = today, end_date = today] = [dates[0], dates.at(-1)];
    const shown: View = {
      ...parseView('', today).view,
      chains: chains.map(({ chain }) => chain),
      figure: 'transaction_count',
      start_date,
      end_date,
      hasEvents: false,
    };
    const daysOf = ({ chain }: { chain: ChainName }): ChainDays => ({
      rows: chains.find((one) => one.chain === chain)?.rows ?? [],
      dataThrough: end_date,
    });
    const loading = contentOf(daysOf, shown, shown, [], today);
    return { view: shown, plot: loading.state === 'loaded' ? loading.content.plot : undefined };
  }, [chains]);
  if (!plot) return null;
  return (
    <section class="card chart-card" aria-labelledby="open-title">
      <h2 id="open-title">Transactions per day</h2>
      <p class="note">
        {isSample
          ? 'Sample data, invented to show the chart: this service shows its figures to holders of a key.'
          : `The figures of this service, ${view.start_date} to ${view.end_date}. With a key, you see all days.`}
      </p>
      <Charts plot={plot} view={view} onSelect={ignore} onZoom={ignore} onPreview={ignore} onReset={ignore} />
    </section>
  );
}

/** Shows line by line how the latest day of a chain follows from its final block. */
function Proof({ open: { chains, isSample } }: Pick<OpenProps, 'open'>) {
  const found = chains
    .map(({ chain, rows }) => ({
      chain,
      row: rows.findLast(({ evidence, first_block }) => evidence === 'proven' && first_block),
    }))
    .find(({ row }) => row);
  return (
    <section class="card about" aria-labelledby="proof-title">
      <h2 id="proof-title">What “proven” means</h2>
      <p>
        A node may be wrong or lie. So each day is recomputed, and only bytes that lead to a final block count
        {isSample ? '. With invented figures' : ''}:
      </p>
      {found?.row && <ProofLines chain={found.chain} row={found.row} />}
      <p>A day that cannot be proven is marked as checked.</p>
    </section>
  );
}

function ProofLines({ chain, row }: { readonly chain: ChainName; readonly row: DayRow }) {
  const { coin } = chainOf(chain);
  const { first_block, last_block, finality, parent_hash } = row;
  const count = (value: number) => value.toLocaleString('en');
  return (
    <ol class="proof">
      <li>
        <b>The last block is final.</b> {chainLabel(chain)} ended {row.date} with block{' '}
        {count(last_block?.number ?? 0)}: <code>{last_block?.hash}</code>. {finalityText(finality)}
      </li>
      <li>
        <b>Each block names the one before.</b> {count(row.block_count)} headers hash to the parent that the
        next header names, back to block {count(first_block?.number ?? 0)}: <code>{first_block?.hash}</code>.
        {parent_hash && ' That one names the last block of the day before.'}
      </li>
      <li>
        <b>Nothing is left out or added.</b> {count(row.transaction_count)} transactions and as many receipts
        hash to the two roots in those headers.
      </li>
      <li>
        <b>Each price follows.</b> Gas used times the price that header and transaction state:{' '}
        {groupThousands(row.execution_fees)} {coin} of execution fees, {groupThousands(row.blob_fees)} of blob
        fees, {groupThousands(row.l1_data_fees)} of L1 data fees.
      </li>
      <li>
        <b>The sum is the figure.</b> {groupThousands(row.fees)} {coin}, to the last wei.
      </li>
    </ol>
  );
}

const finalityText = (finality: DayRow['finality']): string => {
  if (finality?.kind === 'sync committee')
    return `The sync committee of Ethereum signed a block of slot ${finality.slot} from which it follows.`;
  if (finality?.kind === 'fast finality') return 'Two thirds of the validators voted for a block after it.';
  return 'Several nodes of different operators report it as final.';
};
