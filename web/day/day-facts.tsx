import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import type { BlockRef } from '../../core/figures/block.ts';
import { CopyButton } from '../controls/elements.tsx';
import type { FullRow } from '../data/rows.ts';
import { groupThousands } from '../model/amounts.ts';
import { figures, partFigures } from '../model/figures.ts';
import { isInvented } from '../model/offered.ts';
import type { ChosenDay } from '../model/view.ts';
import { exactFigure, Facts, Hash, Split } from './measures.tsx';
import { Why } from './why.tsx';
import type { Reasons } from './why-day.ts';

interface Props {
  readonly day: ChosenDay;
  readonly row: FullRow;
  readonly reasons: Reasons;
}

export function DayFacts({ day, row, reasons }: Props) {
  const { chain, date } = day;
  const { coin } = chainOf(chain);
  return (
    <div class="columns">
      <Why {...{ day, reasons }} />
      <Split total="fees" parts={partFigures} row={row} unit={coin} />
      <Split
        total="transaction_count"
        parts={['user_transaction_count', 'protocol_transaction_count']}
        row={row}
      />
      {row.base_fees !== undefined && (
        <Split total="execution_fees" parts={['base_fees', 'priority_fees']} row={row} unit={coin} />
      )}
      <Facts
        title="Typical fee paid"
        total={exactFigure(row, 'median_fee')}
        unit={row.median_fee && coin}
        rows={[
          ['A tenth paid at most', exactFigure(row, 'p10_fee')],
          ['Nine tenths paid at most', exactFigure(row, 'p90_fee')],
        ]}
      />
      <Dollars row={row} />
      <Blocks row={row} chain={chain} />
      <Evidence row={row} command={`python3 recompute.py ${chain} ${date}`} />
      <Restatements row={row} />
    </div>
  );
}

/** Shows the fees of a day in dollars with their prices, or why there are none. */
function Dollars({ row }: { readonly row: FullRow }) {
  const { price, unpriced_reason } = row;
  if (!price) return unpriced_reason ? <Facts title="In dollars">None: {unpriced_reason}.</Facts> : null;
  return (
    <Facts
      title="In dollars"
      total={exactFigure(row, 'fees_usd')}
      unit="USD"
      rows={[
        ['First price', price.first],
        ['Last price', price.last],
        ['Prices recorded', String(price.updates)],
        ['Recorded by', price.aggregator && <Hash hash={price.aggregator} />],
        ['Evidence', price.evidence],
      ]}
    >
      <p class="muted">
        The prices are what the feed recorded. Whether they were right depends on the feed’s operators.
      </p>
    </Facts>
  );
}

function Blocks({ row, chain }: { readonly row: FullRow; readonly chain: ChainName }) {
  const { block_count, first_block, last_block } = row;
  const isOne = first_block?.number === last_block?.number;
  const blockOf = (block: BlockRef | undefined) => block && <Block chain={chain} {...block} />;
  return (
    <Facts
      title="Blocks"
      total={block_count.toLocaleString('en')}
      rows={[
        [isOne ? 'First and last' : 'First', blockOf(first_block)],
        ['Last', isOne ? undefined : blockOf(last_block)],
        ...(['gas_used', 'failed_transaction_count', 'blob_count'] as const).map(
          (figure) => [figures[figure], exactFigure(row, figure)] as const,
        ),
      ]}
    />
  );
}

function Block({ chain, number, hash }: BlockRef & { readonly chain: ChainName }) {
  // A public explorer knows no blocks of a development chain.
  const text = number.toLocaleString('en');
  return (
    <>
      {isInvented(chain) ? text : <a href={`${chainOf(chain).blockExplorer}/block/${number}`}>{text}</a>}
      <br />
      <Hash hash={hash} /> <CopyButton label="Copy hash" text={() => hash} />
    </>
  );
}

function Evidence({ row, command }: { readonly row: FullRow; readonly command: string }) {
  const { evidence, archive, parent_hash, finality } = row;
  const audit = archive?.void_since
    ? 'A proof contradicted this file: its audit is void.'
    : archive?.audit.statement;
  // The hashes of archived days are not followed to a final block.
  const finalBy = evidence === 'archived' ? 'Last block reported by' : 'Final by';
  const texts = {
    proven: 'Every block was recomputed from data that hashes to the finalized block.',
    archived: `From the archive ${archive?.name}, not proven. ${audit}`,
    checked: 'At least one block passed consistency checks only.',
  };
  return (
    <Facts
      title="Evidence"
      total={evidence}
      rows={[
        ['After block', parent_hash && <Hash hash={parent_hash} />],
        [finalBy, finality && <Finality finality={finality} />],
        ['Revision, definition', `${row.revision}, ${row.definition_version}`],
        ['Ingested', `${row.ingested_at.slice(0, 16).replace('T', ' ')} UTC`],
      ]}
    >
      <p class="muted">{texts[evidence]}</p>
      <p class="muted">
        Anyone with a key and a node can <a href="docs#verify">recompute this day</a>:
      </p>
      <p>
        <code translate={false}>{command}</code> <CopyButton label="Copy command" text={() => command} />
      </p>
    </Facts>
  );
}

/** Names what called the day final: nodes, or the signatures of a committee or of validators. */
function Finality({ finality }: { readonly finality: NonNullable<FullRow['finality']> }) {
  if (finality.kind === 'reported') return <>{finality.hosts.join(', ') || 'a node'}</>;
  const [text, hash] =
    finality.kind === 'sync committee'
      ? [`A sync committee of the validators, slot ${finality.slot.toLocaleString('en')}`, finality.root]
      : [`BSC’s validators, block ${finality.source.number.toLocaleString('en')}`, finality.source.hash];
  return (
    <>
      {text} <Hash hash={hash} />
    </>
  );
}

function Restatements({ row: { restatements = [] } }: { readonly row: FullRow }) {
  if (restatements.length === 0) return null;
  const rows = restatements.map(
    ({ revision, restated_at, reason, fees, transaction_count }) =>
      [
        `Revision ${revision}, replaced ${restated_at.slice(0, 10)}`,
        `fees ${groupThousands(fees)}, transactions ${transaction_count.toLocaleString('en')}. Reason: ${reason}`,
      ] as const,
  );
  return <Facts title="Restatements, with the figures before" rows={rows} />;
}
