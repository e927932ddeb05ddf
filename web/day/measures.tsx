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
  <code title={hash} translate={false}>
    {hash.slice(0, 10)}…{hash.slice(-6)}
  </code>
);

interface FactsProps {
  readonly title: string;
  readonly total?: string;
  readonly unit?: string | undefined;
  /** Labels with their values; those without a value are left out. */
  readonly rows?: readonly (readonly [label: string, value: ComponentChildren])[];
  readonly children?: ComponentChildren;
}

export const Facts = ({ title, total, unit, rows = [], children }: FactsProps) => (
  <div>
    <h3>{title}</h3>
    {total && (
      <p class="exact" translate={false}>
        <strong>{total}</strong> {unit}
      </p>
    )}
    <dl class="rows">
      {rows.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd translate={false}>{value}</dd>
            </div>
          ),
      )}
    </dl>
    {children}
  </div>
);

interface SplitProps {
  readonly total: Figure;
  readonly parts: readonly Figure[];
  readonly row: FullRow;
  readonly unit?: string;
}

/** Shows a figure with its parts. One that the chain does not have is 0, and left out. */
export function Split({ total, parts, row, unit }: SplitProps) {
  const sum = toNumber(amountOf(row, total) ?? 0n);
  const rows = parts.flatMap((part) => {
    const amount = amountOf(row, part);
    if (amount === 0n) return [];
    const share = sum === 0 ? 0 : (100 * toNumber(amount ?? 0n)) / sum;
    const value = (
      <>
        {exactFigure(row, part)} <small>{`${share.toFixed(1)}%`}</small>
      </>
    );
    return [[figures[part], value] as const];
  });
  return <Facts title={figures[total]} total={exactFigure(row, total)} {...{ unit, rows }} />;
}
