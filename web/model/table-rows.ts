import { type Amount, compareAmounts, formatExact } from './amounts.ts';
import { amountIn, partIn } from './cells.ts';
import { boundsOfFigure, type Figure, formatFigure, isFee, isSum, unitOf } from './figures.ts';
import type { Shown } from './shown.ts';

/** A column to sort by, as its index, or the date; and the direction. */
export interface Order {
  readonly column: number | 'date';
  readonly isDescending: boolean;
}

/** Returns the indexes of the dates on which a chain has a figure, or a part of one, sorted. Dates without a figure of the column come last in both directions. */
export function sortedDates({ chains, dates }: Shown, { column, isDescending }: Order): readonly number[] {
  const sign = isDescending ? -1 : 1;
  const known = [...dates.keys()].filter((index) =>
    chains.some(({ cells }) => amountIn(cells[index]) !== undefined || partIn(cells[index])),
  );
  if (column === 'date') return isDescending ? known.toReversed() : known;
  const amountAt = (index: number) => amountIn(chains[column]?.cells[index]);
  return known.toSorted((one, other) => {
    const [a, b] = [amountAt(one), amountAt(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * compareAmounts(a, b);
  });
}

/** As wide as a digit, and as a decimal point, in tabular figures. */
const [DIGIT_SPACE, POINT_SPACE] = ['\u2007', '\u2008'];

/** Formats the figures of one column so that their decimal points align at the right edge. */
export function alignColumn(amounts: readonly (Amount | undefined)[], figure: Figure) {
  const texts = amounts.map((amount) => (amount === undefined ? undefined : formatFigure(figure, amount)));
  const decimalsOf = (text = '') => text.split('.')[1]?.length ?? 0;
  const widest = texts.reduce((max, text) => Math.max(max, decimalsOf(text)), 0);
  return texts.map((text) => {
    if (text === undefined || widest === 0 || !isSum(figure)) return text;
    const point = text.includes('.') ? '' : POINT_SPACE;
    return `${text}${point}${DIGIT_SPACE.repeat(widest - decimalsOf(text))}`;
  });
}

/** Formats a view as CSV (RFC 4180), with every digit. A chain has a column, and two for a typical fee: the bounds of its bucket. */
export function toCsv({ chains, dates, view: { figure } }: Shown): string {
  const hasCoin = isFee(figure) && figure !== 'fees_usd';
  const names = isSum(figure) ? [figure] : [`${figure}_from`, `${figure}_to`];
  const columns = chains.flatMap(({ chain }) =>
    names.map((name) => `${chain}_${name}${hasCoin ? `_${unitOf(figure, chain)}` : ''}`),
  );
  const cellsOf = (amount: Amount | undefined) =>
    amount === undefined ? names.map(() => '') : boundsOfFigure(figure, amount).map(formatExact);
  const lines = dates.flatMap((date, index) => {
    const amounts = chains.map(({ cells }) => amountIn(cells[index]));
    return amounts.some((amount) => amount !== undefined) ? [[date, ...amounts.flatMap(cellsOf)]] : [];
  });
  return [['date', ...columns], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}
