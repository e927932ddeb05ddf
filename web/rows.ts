import type { ChainName } from '../core/chains/chains.ts';
import type { UtcDay } from '../core/figures/calendar.ts';
import { type Amount, formatExact, sumAmounts } from './amounts.ts';
import type { DayRow } from './api-client.ts';
import { amountOf, boundsOfFigure, type Figure, formatFigure, isFee, isSum, unitOf } from './figures.ts';

/** One hour, day or period of several chains. */
export interface TableRow {
  readonly date: UtcDay;
  /** One figure per chain, in the order of the chains; undefined, which is not 0, where none is final. */
  readonly amounts: readonly (Amount | undefined)[];
}

/** Joins chains by date. Returns the dates on which at least one chain has a figure, ascending. */
export function joinRows(columns: readonly (readonly DayRow[])[], figure: Figure): TableRow[] {
  const byDate = columns.map((rows) => new Map(rows.map((row) => [row.date, amountOf(row, figure)])));
  const dates = new Set(byDate.flatMap((column) => [...column.keys()]));
  return [...dates].toSorted().map((date) => ({ date, amounts: byDate.map((column) => column.get(date)) }));
}

/** A column to sort by, or the date; and the direction. */
export interface Order {
  readonly column: number | 'date';
  readonly isDescending: boolean;
}

/** Sorts rows. Rows without a figure come last in both directions. */
export function sortRows(rows: readonly TableRow[], { column, isDescending }: Order): TableRow[] {
  const sign = isDescending ? -1 : 1;
  if (column === 'date') return rows.toSorted((a, b) => (a.date < b.date ? -sign : sign));
  return rows.toSorted(({ amounts: { [column]: a } }, { amounts: { [column]: b } }) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return a === b ? 0 : a < b ? -sign : sign;
  });
}

/** Returns the sum of each column. */
export const columnTotals = (rows: readonly TableRow[], count: number): Amount[] =>
  Array.from({ length: count }, (_, column) =>
    sumAmounts(rows.map(({ amounts }) => amounts[column]).filter((amount) => amount !== undefined)),
  );

/** As wide as a digit, and as a decimal point, in tabular figures. */
const [DIGIT_SPACE, POINT_SPACE] = ['\u2007', '\u2008'];

/** Formats the figures of one column so that their decimal points align at the right edge. */
export function alignColumn(
  amounts: readonly (Amount | undefined)[],
  figure: Figure,
): (string | undefined)[] {
  const texts = amounts.map((amount) => (amount === undefined ? undefined : formatFigure(figure, amount)));
  const decimalsOf = (text = '') => text.split('.')[1]?.length ?? 0;
  const widest = texts.reduce((max, text) => Math.max(max, decimalsOf(text)), 0);
  return texts.map((text) => {
    if (text === undefined || widest === 0 || !isSum(figure)) return text;
    const point = text.includes('.') ? '' : POINT_SPACE;
    return `${text}${point}${DIGIT_SPACE.repeat(widest - decimalsOf(text))}`;
  });
}

/**
 * Formats rows as CSV (RFC 4180), with every digit. For one chain the columns are those of the API; for several there is one per chain,
 * empty where no figure is final. A typical fee has two: the bounds of its bucket.
 */
export function toCsv(figure: Figure, chains: readonly ChainName[], rows: readonly TableRow[]): string {
  const hasCoin = isFee(figure) && figure !== 'fees_usd';
  const unit = (chain: ChainName) => (hasCoin ? `_${unitOf(figure, chain)}` : '');
  const names = isSum(figure) ? [figure] : [`${figure}_from`, `${figure}_to`];
  const columns =
    chains.length === 1
      ? names
      : chains.flatMap((chain) => names.map((name) => `${chain}_${name}${unit(chain)}`));
  const cellsOf = (amount: Amount | undefined) =>
    amount === undefined ? names.map(() => '') : boundsOfFigure(figure, amount).map(formatExact);
  const lines = rows.map(({ date, amounts }) => [date, ...amounts.flatMap(cellsOf)]);
  return [['date', ...columns], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}
