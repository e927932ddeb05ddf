import { type CustomMetricGroup, MetricStatistic } from 'cdk-monitoring-constructs';
import type { ChainMetrics } from './chain-metrics.ts';

/** Matches every value of a dimension. The library's type allows only text. */
const ANY = undefined as unknown as string;

/** Graphs of each chain's progress, and of the faults of its nodes. */
export const chainGraphs = (namespace: string, chains: readonly ChainMetrics[]): CustomMetricGroup[] => [
  { title: 'Hours behind the newest final block', metrics: chains.map(({ lag }) => lag) },
  { title: 'Hours since the newest final block', metrics: chains.map(({ headAge }) => headAge) },
  { title: 'Blocks per second', metrics: chains.map(({ blocksPerSecond }) => blocksPerSecond) },
  { title: 'Days completed', metrics: chains.map(({ daysCompleted }) => daysCompleted) },
  {
    title: 'Faults of nodes',
    metrics: [
      {
        namespace,
        searchQuery: 'MetricName="Faults"',
        dimensionsMap: { service: 'ingest', chain: ANY, endpoint: ANY, kind: ANY },
        statistic: MetricStatistic.SUM,
      },
    ],
  },
];
