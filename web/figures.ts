import { type ChainName, chainOf } from '../core/chains/chains.ts';
import { type Amount, countAmount, parseAmount } from './amounts.ts';
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
} as const;
export type Figure = keyof typeof figures;

/** The parts that add up to `fees`. */
export const partFigures = ['execution_fees', 'l1_data_fees', 'operator_fees', 'blob_fees'] as const;

export const isFigure = (text: string | null): text is Figure =>
  text !== null && Object.hasOwn(figures, text);

export const isFee = (figure: Figure): boolean => figure.endsWith('fees');

/** Returns the unit of a figure. Fees in different coins are never converted. */
export const unitOf = (figure: Figure, chain: ChainName): string =>
  isFee(figure) ? chainOf(chain).coin : 'transactions';

export function amountOf(row: DayRow, figure: Figure): Amount {
  const value = row[figure];
  return typeof value === 'number' ? countAmount(value) : parseAmount(value);
}
