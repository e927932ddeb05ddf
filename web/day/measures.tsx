import type { ComponentChildren } from 'preact';
import type { FullRow } from '../data/rows.ts';
import { groupThousands, toNumber } from '../model/amounts.ts';
import { amountOf, type Figure, figures, type RowFigure } from '../model/figures.ts';

/** Every digit of a figure, or its bounds. */
export function exactFigure(row: FullRow, figure: RowFigure): string {
  const value = row[figure];
  if (value === undefined) return 'not known';
  return typeof value === 'object' ? `${value.from} to ${value.to}` : groupThousands(String(value));
}

export const Hash = ({ hash }: { readonly hash: string }) => (
  <code title={hash}>
    {hash.slice(0, 10)}…{hash.slice(-6)}
  </code>
);

interface FactsProps {
  readonly title: string;
  readonly total?: string;
  readonly unit?: string | undefined;
  readonly bar?: ComponentChildren;
  /** Labels with their values; those without a value are left out. */
  readonly rows?: readonly (readonly [label: string, value: ComponentChildren, swatch?: ComponentChildren])[];
  readonly children?: ComponentChildren;
}

export const Facts = ({ title, total, unit, bar, rows = [], children }: FactsProps) => (
  <div>
    <h3>{title}</h3>
    {total && (
      <p class="exact">
        <strong>{total}</strong> {unit}
      </p>
    )}
    {bar}
    <dl class="rows">
      {rows.map(
        ([label, value, swatch]) =>
          value && (
            <div key={label}>
              <dt>
                {swatch}
                {label}
              </dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
    {children}
  </div>
);

const partColors = ['var(--accent)', 'var(--BSC)', 'var(--OPTIMISM)', 'var(--POLYGON)'];

interface SplitProps {
  readonly total: Figure;
  readonly parts: readonly Figure[];
  readonly row: FullRow;
  readonly unit?: string;
}

export function Split({ total, parts, row, unit }: SplitProps) {
  const sum = toNumber(amountOf(row, total) ?? 0n);
  // A part that the chain does not have is 0.
  const paid = parts.filter((part) => amountOf(row, part) !== 0n);
  const shares = paid.map((part) => (sum === 0 ? 0 : (100 * toNumber(amountOf(row, part) ?? 0n)) / sum));
  const startOf = (index: number) => shares.slice(0, index).reduce((start, share) => start + share, 0);
  const rows = paid.map(
    (part, index) =>
      [
        figures[part],
        <>
          {exactFigure(row, part)} <small>{`${shares[index]?.toFixed(1)}\u00a0%`}</small>
        </>,
        <i class="swatch" style={{ background: partColors[index] }} />,
      ] as const,
  );
  const bar = (
    <svg class="parts" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      {shares.map((share, index) => (
        <rect
          key={paid[index]}
          style={{ fill: partColors[index] }}
          x={startOf(index)}
          width={share}
          height="6"
        />
      ))}
    </svg>
  );
  return <Facts title={figures[total]} total={exactFigure(row, total)} {...{ unit, bar, rows }} />;
}
