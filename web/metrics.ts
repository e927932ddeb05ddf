import { type ChainName, chainOf } from '../lambda/chains/chains.ts';

/** Labels of the metrics, by the last segment of their path, which is also the member of their rows. */
export const metrics = { fees: 'Fees', transaction_count: 'Transactions' } as const;
export type MetricName = keyof typeof metrics;

export const isMetric = (text: string | null): text is MetricName =>
  text !== null && Object.hasOwn(metrics, text);

/** Returns the unit of a metric. Fees in different coins are never converted. */
export const unitOf = (metric: MetricName, chain: ChainName): string =>
  metric === 'fees' ? chainOf(chain).coin : 'transactions';
