import { type ChainName, chainOf } from '../lambda/chains/chains.ts';

/** The figures that the API serves, each named as the end of its path and as the member of its rows. */
export const metrics = { fees: 'Fees', transaction_count: 'Transactions' } as const;
export type Metric = keyof typeof metrics;

export const isMetric = (text: string | null): text is Metric =>
  text !== null && Object.hasOwn(metrics, text);

/** What one of them is counted in. Fees of different coins are of different units, and are never converted. */
export const unitOf = (metric: Metric, chain: ChainName): string =>
  metric === 'fees' ? chainOf(chain).coin : 'transactions';
