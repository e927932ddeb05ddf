import type { ChainName } from '../lambda/chains/chains.ts';
import type { Day } from './days.ts';
import { type MetricName, unitOf } from './metrics.ts';

/**
 * Formats days as CSV (RFC 4180). For one chain the text equals that of the API; for several there is one column per chain,
 * empty where no figure is final.
 */
export function toCsv(metric: MetricName, chains: readonly ChainName[], days: readonly Day[]): string {
  const columns = chains.length === 1 ? [metric] : chains.map((chain) => columnOf(metric, chain));
  const rows = days.map(({ date, values }) => [date, ...values]);
  return [['date', ...columns], ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

const columnOf = (metric: MetricName, chain: ChainName): string =>
  metric === 'fees' ? `${chain}_fees_${unitOf(metric, chain)}` : `${chain}_${metric}`;
