import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import type { DayRow } from '../data/api-client.ts';
import { type Amount, formatExact, sumAmounts } from './amounts.ts';
import { amountOf, boundsOfFigure, type Figure, formatFigure, isFee, isSum, unitOf } from './figures.ts';
import type { PartialPeriod } from './summary.ts';

/** One hour, day or period of several chains. */
export interface TableRow {
  readonly date: UtcDay;
  /** One figure per chain, in the order of the chains; undefined, which is not 0, where none is final. */
  readonly amounts: readonly (Amount | undefined)[];
  /** In place of the amount of a period that lacks days. */
  readonly partials?: readonly (PartialPeriod | undefined)[];
}

/** Joins chains by date. Returns the dates on which at least one chain has a figure, or a part of one, ascending. */
export function joinRows(
  columns: readonly (readonly DayRow[])[],
  figure: Figure,
  partials: readonly (readonly PartialPeriod[])[] = [],
): TableRow[] {
  const byDate = columns.map((rows) => new Map(rows.map((row) => [row.date, amountOf(row, figure)])));
  const dates = new Set([
    ...byDate.flatMap((column) => [...column.keys()]),
    ...partials.flat().map(({ date }) => date),
  ]);
  return [...dates]
    .toSorted()
    .map((date) => ({
      date,
      amounts: byDate.map((column) => column.get(date)),
      ...(partials.length > 0 && {
        partials: byDate.map((_, column) => partials[column]?.find((one) => one.date === date)),
      }),
    }));
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

/** Returns the sum of each column; undefined, which is not 0, for one without a figure. */
export const columnTotals = (rows: readonly TableRow[], count: number): (Amount | undefined)[] =>
  Array.from({ length: count }, (_, column) => {
    const known = rows.map(({ amounts }) => amounts[column]).filter((amount) => amount !== undefined);
    return known.length === 0 ? undefined : sumAmounts(known);
  });

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
 * Formats rows as CSV (RFC 4180), with every digit. There is a column for each chain, empty where no figure is final. A typical fee has two: the bounds of its bucket.
 */
export function toCsv(figure: Figure, chains: readonly ChainName[], rows: readonly TableRow[]): string {
  const hasCoin = isFee(figure) && figure !== 'fees_usd';
  const unit = (chain: ChainName) => (hasCoin ? `_${unitOf(figure, chain)}` : '');
  const names = isSum(figure) ? [figure] : [`${figure}_from`, `${figure}_to`];
  const columns = chains.flatMap((chain) => names.map((name) => `${chain}_${name}${unit(chain)}`));
  const cellsOf = (amount: Amount | undefined) =>
    amount === undefined ? names.map(() => '') : boundsOfFigure(figure, amount).map(formatExact);
  const known = rows.filter(({ amounts }) => amounts.some((amount) => amount !== undefined));
  const lines = known.map(({ date, amounts }) => [date, ...amounts.flatMap(cellsOf)]);
  return [['date', ...columns], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}
