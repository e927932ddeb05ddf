import type { ChainName } from '../lambda/chains/chains.ts';
import type { Day } from './figures.ts';
import { type Metric, unitOf } from './metrics.ts';

/**
 * What is shown, as CSV (RFC 4180). Of one chain it is what the API itself gives for `text/csv`; of several, a column for each,
 * which is empty where there is no final figure.
 */
export function csvOf(metric: Metric, chains: readonly ChainName[], days: readonly Day[]): string {
  const columns = chains.length === 1 ? [metric] : chains.map((chain) => columnOf(metric, chain));
  const rows = days.map(({ date, values }) => [date, ...values]);
  return [['date', ...columns], ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

const columnOf = (metric: Metric, chain: ChainName): string =>
  metric === 'fees' ? `${chain}_fees_${unitOf(metric, chain)}` : `${chain}_${metric}`;
