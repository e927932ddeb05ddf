import { type ChainName, chainOf } from '../core/chains/chains.ts';
import { type Amount, countAmount, formatRounded, parseAmount } from './amounts.ts';
import type { DayRow } from './api-client.ts';

/** Labels of the selectable figures, by the member of the API's rows that holds them. */
export const figures = {
  fees: 'Fees',
  execution_fees: 'Execution fees',
  l1_data_fees: 'L1 data fees',
  operator_fees: 'Operator fees',
  blob_fees: 'Blob fees',
  transaction_count: 'Transactions',
  user_transaction_count: 'User transactions',
  protocol_transaction_count: 'Protocol transactions',
  failed_transaction_count: 'Failed transactions',
  base_fees: 'Base fees',
  priority_fees: 'Priority fees',
  median_fee: 'Typical fee',
  gas_used: 'Gas used',
  blob_count: 'Blobs',
} as const;
export type Figure = keyof typeof figures;

/** The parts that add up to `fees`. */
export const partFigures = ['execution_fees', 'l1_data_fees', 'operator_fees', 'blob_fees'] as const;

export const isFigure = (text: string | null): text is Figure =>
  text !== null && Object.hasOwn(figures, text);

/** A typical fee, as the API names it. */
export type TypicalFee = 'p10_fee' | 'median_fee' | 'p90_fee';

export const isFee = (figure: Figure): boolean => /_?fees?$/.test(figure);

/** Returns whether figures of several days may be added. */
export const isSum = (figure: Figure): boolean => figure !== 'median_fee';

/** Returns the unit of a figure. Fees in different coins are never converted. */
export const unitOf = (figure: Figure, chain: ChainName): string =>
  isFee(figure) ? chainOf(chain).coin : (units[figure] ?? 'transactions');

/** Figures that days of earlier versions, and some others, do not state. */
const later: readonly Figure[] = [
  ...(['base_fees', 'priority_fees', 'median_fee'] as const),
  ...(['gas_used', 'failed_transaction_count', 'blob_count'] as const),
];

/** Returns the words for a day without a figure. */
export const absence = (figure: Figure): string => (later.includes(figure) ? 'not known' : 'no final figure');

/** Formats a figure with as many digits as make sense: the middle of two bounds is only near. */
export const roundedText = (amount: Amount, figure: Figure): string =>
  isSum(figure) ? formatRounded(amount) : `≈ ${formatRounded(amount, 2)}`;

const units: Partial<Record<Figure, string>> = { gas_used: 'gas', blob_count: 'blobs' };

/** Returns a figure, or undefined where a row does not state it. A typical fee is the middle of its bounds. */
export function amountOf(row: DayRow, figure: Figure | TypicalFee): Amount | undefined {
  const value = row[figure];
  if (value === undefined) return undefined;
  if (typeof value === 'number') return countAmount(value);
  if (typeof value === 'string') return parseAmount(value);
  return (parseAmount(value.from) + parseAmount(value.to)) / 2n;
}

/** Returns the text of a figure with every digit that is known: of a typical fee its bounds. */
export function exactOf(row: DayRow, figure: Figure | TypicalFee): string | undefined {
  const value = row[figure];
  return typeof value === 'object' ? `${value.from} to ${value.to}` : value?.toString();
}
