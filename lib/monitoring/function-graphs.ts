import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { ServiceFunction } from '../service-function.ts';

/** Graphs with one line per function. */
export function functionGraphs(functions: readonly ServiceFunction[]): CustomMetricGroup[] {
  const each = (metric: (label: string, one: IFunction) => Metric) =>
    functions.map(({ node, function: one }) => metric(node.id, one));
  return [
    {
      title: 'Duration, p99 (ms)',
      metrics: each((label, one) => one.metricDuration({ label, statistic: Stats.p(99) })),
    },
    { title: 'Errors', metrics: each((label, one) => one.metricErrors({ label })) },
    { title: 'Throttles', metrics: each((label, one) => one.metricThrottles({ label })) },
    {
      title: 'Concurrent executions',
      metrics: each((label, one) => one.metric('ConcurrentExecutions', { label, statistic: Stats.MAXIMUM })),
    },
  ];
}
