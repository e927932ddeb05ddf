import type { FullRow } from '../data/api-client.ts';
import { groupThousands, toNumber } from '../model/amounts.ts';
import { amountOf, type Figure, figures, type RowFigure } from '../model/figures.ts';
import { Hash } from './finality.tsx';

/** Every digit of a figure, or its bounds. */
function exactText(row: FullRow, figure: RowFigure): string {
  const value = row[figure];
  if (value === undefined) return 'not known';
  return typeof value === 'object' ? `${value.from} to ${value.to}` : groupThousands(String(value));
}

/** Shows the base and priority fees of a day, where they are known, and the typical fee. */
export function FeeDetails({ row, coin }: { readonly row: FullRow; readonly coin: string }) {
  return (
    <>
      {row.base_fees !== undefined && (
        <Split
          title="Execution fees"
          total="execution_fees"
          parts={['base_fees', 'priority_fees']}
          row={row}
          unit={coin}
        />
      )}
      <div>
        <h3>Typical fee</h3>
        <p>
          <strong>{exactText(row, 'median_fee')}</strong> {row.median_fee && coin}
        </p>
        <dl class="rows">
          <Row label="A tenth paid at most" value={exactText(row, 'p10_fee')} />
          <Row label="Nine tenths paid at most" value={exactText(row, 'p90_fee')} />
        </dl>
      </div>
    </>
  );
}

/** Shows the fees of a day in dollars with their prices, or why there are none. */
export function Dollars({ row }: { readonly row: FullRow }) {
  const { fees_usd, price, unpriced_reason } = row;
  if (fees_usd === undefined && unpriced_reason === undefined) return null;
  return (
    <div>
      <h3>In dollars</h3>
      {price ? (
        <>
          <p class="exact">
            <strong>{exactText(row, 'fees_usd')}</strong> USD
          </p>
          <dl class="rows">
            <Row label="First price" value={price.first} />
            <Row label="Last price" value={price.last} />
            <Row label="Prices recorded" value={String(price.updates)} />
          </dl>
          <p class="muted">
            Recorded by {price.aggregator && <Hash hash={price.aggregator} />} ({price.evidence})
          </p>
        </>
      ) : (
        <p>None: {unpriced_reason}.</p>
      )}
      <p class="muted">
        We prove that the feed recorded these prices. Whether they were right depends on its operators.
      </p>
    </div>
  );
}

/** Shows a count of what the blocks of a day have, such as their gas. */
export const Measure = ({ row, figure }: { readonly row: FullRow; readonly figure: Figure }) => (
  <Row label={figures[figure]} value={exactText(row, figure)} />
);

const Row = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

interface SplitProps {
  readonly title: string;
  readonly total: Figure;
  readonly parts: readonly Figure[];
  readonly row: FullRow;
  readonly unit: string;
}

/** Shows a figure and its parts, as a bar and with every digit. */
export function Split({ title, total, parts, row, unit }: SplitProps) {
  const sum = toNumber(amountOf(row, total) ?? 0n);
  // A part that the chain does not have is 0.
  const paid = parts.filter((part) => amountOf(row, part) !== 0n);
  const shares = paid.map((part) => ({
    part,
    percentage: sum === 0 ? 0 : (100 * toNumber(amountOf(row, part) ?? 0n)) / sum,
  }));
  return (
    <div>
      <h3>{title}</h3>
      <p class="exact">
        <strong>{exactText(row, total)}</strong> {unit}
      </p>
      <ShareBar shares={shares} />
      <dl class="rows">
        {shares.map(({ part, percentage }, index) => (
          <div key={part}>
            <dt>
              <i class={`swatch part-${index}`} />
              {figures[part]}
            </dt>
            <dd>
              {exactText(row, part)} <small>{`${percentage.toFixed(1)}\u00a0%`}</small>
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
