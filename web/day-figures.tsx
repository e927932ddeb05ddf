import { type ChainName, chainOf } from '../core/chains/chains.ts';
import { groupThousands, toNumber } from './amounts.ts';
import type { DayRow } from './api-client.ts';
import { amountOf, exactOf, type Figure, figures } from './figures.ts';

const measures = {
  p10_fee: 'A tenth pays up to',
  median_fee: 'Half pays up to',
  p90_fee: 'Nine tenths pay up to',
  failed_transaction_count: 'Failed',
  blob_count: 'Blobs',
} as const;
const isKnown = (row: DayRow) => (name: string) => row[name as keyof typeof measures] !== undefined;

/** Shows the typical fees as the bounds of their buckets, and what else the receipts say. */
export function Measures({ row, chain }: { readonly row: DayRow; readonly chain: ChainName }) {
  const names = Object.keys(measures).filter(isKnown(row)) as (keyof typeof measures)[];
  return (
    <div>
      <h3>Gas and a transaction’s fee</h3>
      <p class="exact">
        <strong>{groupThousands(row.gas_used ?? '')}</strong> gas
      </p>
      <dl class="rows">
        {names.map((name) => (
          <div key={name}>
            <dt>{measures[name]}</dt>
            <dd>
              {groupThousands(exactOf(row, name) ?? '')}
              {name.endsWith('fee') && <small> {chainOf(chain).coin}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface SplitProps {
  readonly title: string;
  readonly total: Figure;
  readonly parts: readonly Figure[];
  readonly row: DayRow;
  readonly unit: string;
}

/** Shows a figure and its parts, as a bar and with every digit. */
export function Split({ title, total, parts, row, unit }: SplitProps) {
  const numberOf = (figure: Figure) => toNumber(amountOf(row, figure) ?? 0n);
  const sum = numberOf(total);
  const shares = parts
    .filter((part) => row[part] !== undefined)
    .map((part) => ({ part, percentage: sum === 0 ? 0 : (100 * numberOf(part)) / sum }));
  const exact = (figure: Figure) => groupThousands(exactOf(row, figure) ?? 'not known');
  return (
    <div>
      <h3>{title}</h3>
      <p class="exact">
        <strong>{exact(total)}</strong> {unit}
      </p>
      <ShareBar shares={shares} />
      <dl class="rows">
        {shares.map(({ part, percentage }, index) => (
          <div key={part}>
            <dt>
              <i class={`key part-${index}`} />
              {figures[part]}
            </dt>
            <dd>
              {exact(part)} <small>{`${percentage.toFixed(1)}\u00a0%`}</small>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface Share {
  readonly part: Figure;
  readonly percentage: number;
}

function ShareBar({ shares }: { readonly shares: readonly Share[] }) {
  const startOf = (index: number) =>
    shares.slice(0, index).reduce((sum, { percentage }) => sum + percentage, 0);
  return (
    <svg class="parts" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      {shares.map(({ part, percentage }, index) => (
        <rect key={part} class={`part-${index}`} x={startOf(index)} width={percentage} height="6" />
      ))}
    </svg>
  );
}
