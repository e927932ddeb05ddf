import { useEffect, useMemo, useState } from 'preact/hooks';
import { chainOf } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { Charts } from '../chart/charts.tsx';
import { Choice, dated } from '../controls/elements.tsx';
import { fetchPublicDays, type OpenChain } from '../data/api-client.ts';
import { chartNotes } from '../model/captions.ts';
import { figures } from '../model/figures.ts';
import { chainLabel, listLabels } from '../model/labels.ts';
import { metaText, shownChains } from '../model/offered.ts';
import { shownOf } from '../model/shown.ts';
import { parseView, type View } from '../model/view.ts';
import { type Change, changes, proveSteps, type RecordedBlock, type Step } from './proof.ts';
import recorded from './recorded-block.json';
import { RecordedChart } from './recorded-chart.tsx';

const block = recorded as RecordedBlock;

/** Address to ask for a key, as the operator set it; empty where none is set. */
const keyUrl = metaText('key-url');

const count = shownChains.length;

/** Tells a visitor without a key what this is, and how to get a key. */
export const Welcome = () => (
  <section class="about" aria-labelledby="about-title">
    <h1 id="about-title">
      Exact daily figures of {count === 1 ? listLabels(shownChains) : `${count} chains`}
    </h1>
    <p>
      How many transactions did {count === 1 ? 'it' : listLabels(shownChains)} carry each UTC day, and what
      did people pay in fees? This service recomputes days from the bytes of their blocks, marks those that it
      cannot, and answers with every digit.
    </p>
    <p>
      The operator of this service decides how many requests a key may send, and whether it costs anything.{' '}
      {keyUrl ? (
        <>
          <a href={keyUrl}>Ask for a key</a>.
        </>
      ) : (
        'To get a key, ask the operator.'
      )}{' '}
      The <a href="docs">API reference</a> is open to everyone.
    </p>
  </section>
);

/** True where the service opens days, as it writes into its pages. Otherwise there is nothing to ask for. */
const isOpen = metaText('public-days') === 'yes';

/** Shows a visitor without a key the days that the service opens to everyone, and lets them prove a block. */
export function OpenPage({ today }: { readonly today: UtcDay }) {
  const [chains, setChains] = useState<readonly OpenChain[] | undefined>(isOpen ? undefined : []);
  useEffect(() => {
    if (isOpen) void fetchPublicDays(new URL('.', location.href).href).then(setChains);
  }, []);
  return (
    <>
      {chains && (chains.length > 0 ? <OpenChart chains={chains} today={today} /> : <RecordedChart />)}
      <ProvenBlock />
      <section class="card about" aria-labelledby="figures-title">
        <h2 id="figures-title">What you can chart with a key</h2>
        <p>
          {Object.values(figures).join(', ')}: by day, week, month, quarter or year; all but dollars and the
          typical fee also by hour.
        </p>
        <p>A day stays blank until it is final. Blank does not mean 0.</p>
      </section>
    </>
  );
}

const ignore = () => {};

function OpenChart({ chains, today }: { readonly chains: readonly OpenChain[]; readonly today: UtcDay }) {
  const shown = useMemo(() => {
    const dates = chains.flatMap(({ rows }) => rows.map(({ date }) => date)).toSorted();
    const [start_date = today, end_date = today] = [dates[0], dates.at(-1)];
    const view: View = {
      ...parseView('', today).view,
      chains: chains.map(({ chain }) => chain),
      figure: 'transaction_count',
      start_date,
      end_date,
      hasEvents: false,
    };
    const status = { first_final_day: null, last_final_day: end_date };
    const sources = chains.map(({ chain, rows }) => ({ chain, rows, days: rows, status }));
    return shownOf(view, sources, today);
  }, [chains]);
  const { start_date, end_date } = shown.view;
  return (
    <section class="card chart-card" aria-labelledby="open-title">
      <h2 id="open-title">Transactions per day</h2>
      <p class="note">
        {dated(`Figures of this service, ${start_date} to ${end_date}. With a key, you see all days.`)}
      </p>
      <Charts shown={shown} onSelect={ignore} onZoom={ignore} onReset={ignore} />
      <p class="note">{dated(chartNotes(shown))}</p>
    </section>
  );
}

function ProvenBlock() {
  const [change, setChange] = useState<Change>('none');
  const steps = useMemo(() => proveSteps(block, change), [change]);
  const { chain, number } = block;
  const isProven = steps.every(({ state }) => state === 'done');
  return (
    <section class="card about" aria-labelledby="proof-title">
      <h2 id="proof-title">Prove a block yourself</h2>
      <p>
        A node may be wrong, so a figure counts only if it follows from bytes that hash to a block of the
        chain. Your browser now does what the service does with every block that it proves: it recomputes{' '}
        <a href={`${chainOf(chain).blockExplorer}/block/${number}`}>
          block {number.toLocaleString('en')} of {chainLabel(chain)}
        </a>
        , whose hash anyone can look up.
      </p>
      <p>
        Change one byte of{' '}
        <Choice label="Change one byte of" value={change} options={changes} onChoose={setChange} />
      </p>
      <ol class="proof">
        {steps.map((step) => (
          <ProofStep key={step.title} step={step} />
        ))}
      </ol>
      <p role="status">
        <b class={isProven ? 'up' : 'down'}>
          {isProven ? 'Proven: every step holds.' : 'Refused: no figure of this block would be published.'}
        </b>
      </p>
      <p>
        Before that, the service finds out which block is final. Chain Insights can prove this on Ethereum,
        Gnosis and BSC, by the signatures of a sync committee or of the validators. Otherwise, it relies on
        the nodes that the operator chose. Every final day states which it was.
      </p>
    </section>
  );
}

const marks = { done: '✓', refused: '✗', skipped: '–' } as const;

const ProofStep = ({ step }: { readonly step: Step }) => (
  <li class={step.state === 'done' ? 'up' : step.state === 'refused' ? 'down' : 'muted'}>
    <b>
      {marks[step.state]} {step.title}
    </b>{' '}
    <span translate={false}>{step.text}</span>
  </li>
);
