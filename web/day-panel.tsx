import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type ChainName, chainOf } from '../core/chains/chains.ts';
import type { BlockRef } from '../core/figures/block.ts';
import { addDays, type UtcDay } from '../core/figures/calendar.ts';
import { groupThousands } from './amounts.ts';
import type { DayRow } from './api-client.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { partFigures } from './figures.ts';
import { FinalityFacts, Hash } from './finality.tsx';
import { chainLabel } from './labels.ts';
import { Dollars, FeeDetails, Measure, Split } from './measures.tsx';
import { periodLabel } from './periods.ts';
import type { ChosenDay } from './view.ts';
import { Why } from './why.tsx';
import type { Reasons } from './why-day.ts';

interface Props {
  readonly day: ChosenDay;
  /** The day's figures, `loading`, or undefined if the day is not final. */
  readonly row: DayRow | 'loading' | undefined;
  readonly reasons: Reasons;
  readonly chains: readonly ChainName[];
  readonly today: UtcDay;
  readonly onChoose: (day: ChosenDay | undefined) => void;
  readonly onShowHours: (day: ChosenDay) => void;
}

/** Shows everything that is known about one day of one chain. */
export function DayPanel(props: Props) {
  const { day, row, reasons } = props;
  const { chain, date } = day;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), [chain, date, row]);
  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && props.onChoose(undefined);
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [chain, date]);
  return (
    <section class={`card day chain-${chain}`} aria-labelledby="day-title" ref={panel}>
      <DayHeader {...props} />
      <div aria-live="polite">
        {row === 'loading' ? <p class="muted">Loading …</p> : <Content {...{ day, row, reasons }} />}
      </div>
    </section>
  );
}

function DayHeader({ day: { chain, date }, chains, today, onChoose, onShowHours }: Props) {
  const names = [...new Set([...chains, chain])];
  const choose = (text: string) => {
    const chosen = names.find((name) => name === text);
    if (chosen) onChoose({ chain: chosen, date });
  };
  const move = (days: number) => onChoose({ chain, date: addDays(date, days) });
  return (
    <header class="head">
      <h2 id="day-title">
        {chainLabel(chain)}, {periodLabel(date, 'day')}
      </h2>
      <select
        aria-label="Chain of this day"
        value={chain}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {chainLabel(name)}
          </option>
        ))}
      </select>
      <div class="tools">
        <Button onClick={() => onShowHours({ chain, date })}>Show hours</Button>
        {date > chainOf(chain).firstDay && <Button onClick={() => move(-1)}>‹ Day before</Button>}
        {addDays(date, 1) < today && <Button onClick={() => move(1)}>Day after ›</Button>}
        <Button onClick={() => onChoose(undefined)}>Close</Button>
      </div>
    </header>
  );
}

function Content({
  day,
  row,
  reasons,
}: Pick<Props, 'day' | 'reasons'> & { readonly row: DayRow | undefined }) {
  const { chain, date } = day;
  if (!row) return <p>This day has no final figure. That does not mean 0.</p>;
  return (
    <div class="columns">
      <Why day={day} reasons={reasons} />
      <Split title="Fees" total="fees" parts={partFigures} row={row} unit={chainOf(chain).coin} />
      <Split
        title="Transactions"
        total="transaction_count"
        parts={['user_transaction_count', 'protocol_transaction_count']}
        row={row}
        unit=""
      />
      <FeeDetails row={row} coin={chainOf(chain).coin} />
      <Dollars row={row} />
      <Blocks row={row} chain={chain} />
      <div>
        <h3>Evidence</h3>
        <p>
          <b class={row.evidence}>{row.evidence}</b>{' '}
          {row.evidence === 'proven'
            ? 'Every block was recomputed from data that hashes to the finalized block.'
            : row.evidence === 'archived'
              ? `From the archive ${row.archive?.name}, not proven. ${row.archive?.void_since ? 'A proof contradicted this file: its audit is void.' : row.archive?.audit.statement}`
              : 'At least one block passed consistency checks only.'}
        </p>
        <FinalityFacts row={row} />
        <p class="muted">
          Revision {row.revision}, definition {row.definition_version}, ingested{' '}
          {row.ingested_at.slice(0, 16).replace('T', ' ')} UTC
        </p>
        <p class="muted">
          Anyone with a key and a node can <a href="docs#verify">recompute this day</a>:
        </p>
        <p>
          <code>{verifyCommand(chain, date)}</code>{' '}
          <CopyButton label="Copy command" text={() => verifyCommand(chain, date)} />
        </p>
      </div>
      <Restatements row={row} />
    </div>
  );
}

/** Returns the command that recomputes a day with the program of the API reference. */
const verifyCommand = (chain: ChainName, date: UtcDay): string => `python3 recompute.py ${chain} ${date}`;

/** Returns a block's page in a public explorer; none on a development chain, whose blocks those do not know. */
const pageOf = (chain: ChainName, number: number): string | undefined =>
  document.querySelector('.banner') ? undefined : `${chainOf(chain).blockExplorer}/block/${number}`;

interface NumberProps {
  readonly href: string | undefined;
  readonly number: number;
}

const NumberLink = ({ href, number }: NumberProps) => {
  const text = number.toLocaleString('en');
  return href ? <a href={href}>{text}</a> : text;
};

function Blocks({ row, chain }: { readonly row: DayRow; readonly chain: ChainName }) {
  const { block_count, first_block, last_block } = row;
  const isOne = first_block?.number === last_block?.number;
  return (
    <div>
      <h3>Blocks</h3>
      <p class="exact">
        <strong>{block_count.toLocaleString('en')}</strong>
      </p>
      <dl class="rows">
        {first_block && <Block {...{ chain, ...first_block }} label={isOne ? 'First and last' : 'First'} />}
        {last_block && !isOne && <Block {...{ chain, ...last_block }} label="Last" />}
        <Measure row={row} figure="gas_used" />
        <Measure row={row} figure="failed_transaction_count" />
        <Measure row={row} figure="blob_count" />
      </dl>
    </div>
  );
}

const Block = ({
  label,
  chain,
  number,
  hash,
}: BlockRef & { readonly label: string; readonly chain: ChainName }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <NumberLink href={pageOf(chain, number)} number={number} />
      <br />
      <Hash hash={hash} /> <CopyButton label="Copy hash" text={() => hash} />
    </dd>
  </div>
);

function Restatements({ row: { restatements = [] } }: { readonly row: DayRow }): ComponentChildren {
  if (restatements.length === 0) return null;
  return (
    <div class="restatements">
      <h3>Restatements</h3>
      <p class="muted">The figures before each restatement:</p>
      <ul>
        {restatements.map(({ revision, restated_at, reason, fees, transaction_count }) => (
          <li key={revision}>
            Revision {revision}, replaced {restated_at.slice(0, 10)}: fees {groupThousands(fees)},
            transactions {transaction_count.toLocaleString('en')}. Reason: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
