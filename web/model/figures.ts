import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { boundsOf, bucketOf } from '../../core/figures/fee-buckets.ts';
import type { DayRow } from '../data/rows.ts';
import { type Amount, countAmount, formatRounded, parseAmount, WEI } from './amounts.ts';

/** Labels of the selectable figures, by the member of the API's rows that holds them. */
export const figures = {
  fees: 'Fees',
  fees_usd: 'Fees in dollars',
  execution_fees: 'Execution fees',
  l1_data_fees: 'L1 data fees',
  operator_fees: 'Operator fees',
  blob_fees: 'Blob fees',
  base_fees: 'Base fees',
  priority_fees: 'Priority fees',
  median_fee: 'Typical fee',
  transaction_count: 'Transactions',
  user_transaction_count: 'User transactions',
  protocol_transaction_count: 'Protocol transactions',
  failed_transaction_count: 'Failed transactions',
  gas_used: 'Gas used',
  blob_count: 'Blobs',
} as const;
export type Figure = keyof typeof figures;

/** A figure, or an end of the band around the typical fee. */
export type RowFigure = Figure | 'p10_fee' | 'p90_fee';

/** The parts that add up to `fees`. */
export const partFigures = ['execution_fees', 'l1_data_fees', 'operator_fees', 'blob_fees'] as const;

export const isFee = (figure: Figure): boolean => /fees?(_usd)?$/.test(figure);

/** Returns true if the figures of several days add up to one of all of them. A median of medians is not a median. */
export const isSum = (figure: RowFigure): boolean => !figure.endsWith('_fee');

/** Returns whether a chain has a figure: only the OP Stack charges for L1 data and its operator, and some chains have no blobs. */
export function hasFigure(chain: ChainName, figure: Figure): boolean {
  const { rules } = chainOf(chain);
  if (figure === 'l1_data_fees' || figure === 'operator_fees') return rules.family === 'op-stack';
  return figure === 'blob_fees' || figure === 'blob_count' ? 'blobSchedule' in rules : true;
}

/** Returns the unit of a figure. Fees in different coins are not converted here. */
export function unitOf(figure: Figure, chain: ChainName): string {
  if (figure === 'fees_usd') return 'USD';
  if (isFee(figure)) return chainOf(chain).coin;
  return figure === 'gas_used' ? 'gas' : figure === 'blob_count' ? 'blobs' : 'transactions';
}

/** Returns a figure of a row, or undefined where the row lacks it. Of a bucket, it is the middle. */
export function amountOf(row: Partial<Pick<DayRow, RowFigure>>, figure: RowFigure): Amount | undefined {
  const value = row[figure];
  if (typeof value === 'object') return (parseAmount(value.from) + parseAmount(value.to)) / 2n;
  if (typeof value === 'number') return countAmount(value);
  return value === undefined ? undefined : parseAmount(value);
}

/** Returns an exact figure, or both bounds of the bucket that a typical fee is in. */
export function boundsOfFigure(figure: RowFigure, amount: Amount): readonly Amount[] {
  if (isSum(figure)) return [amount];
  const { from, to } = boundsOf(bucketOf(amount / WEI));
  return [from * WEI, to * WEI];
}

/** Formats a figure: `1.5`, or `0.000213 to 0.000221` where only bounds are known. */
export const formatFigure = (
  figure: RowFigure,
  amount: Amount,
  format: (amount: Amount) => string = formatRounded,
): string =>
  boundsOfFigure(figure, amount)
    .map((bound) => format(bound))
    .join(' to ');

/** Returns the fees of a row per transaction of users, who pay them; undefined where there is none. */
export function averageFeeOf(row: DayRow, figure: 'fees' | 'fees_usd' = 'fees'): Amount | undefined {
  const { user_transaction_count: count } = row;
  const fees = amountOf(row, figure);
  return fees === undefined || !count ? undefined : fees / BigInt(count);
}
