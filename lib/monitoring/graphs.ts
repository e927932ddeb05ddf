import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type CustomMetricGroup, MetricStatistic } from 'cdk-monitoring-constructs';
import type { ServiceFunction } from '../service-function.ts';
import type { ChainMetrics } from './alarms.ts';

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

interface Resources {
  readonly table: TableV2;
  readonly api: RestApi;
  readonly functions: readonly ServiceFunction[];
}

/** Graphs the hourly usage that AWS charges for. A day's sum would give two points in the dashboard's range. */
export function costGraphs({ table, api, functions }: Resources): CustomMetricGroup[] {
  const hourly = { period: Duration.hours(1), statistic: Stats.SUM };
  return [
    { title: 'Requests', metrics: [api.metricCount({ ...hourly, label: 'API' })] },
    {
      title: 'GB-seconds',
      metrics: functions.map(({ node, function: one, memorySize }, index) => {
        // IDs must be unique within a graph.
        const duration = `duration${index}`;
        return new MathExpression({
          expression: `${duration} / 1000 * ${memorySize / 1_024}`,
          usingMetrics: { [duration]: one.metricDuration(hourly) },
          period: hourly.period,
          label: node.id,
        });
      }),
    },
    {
      title: 'Table units',
      metrics: [
        table.metricConsumedReadCapacityUnits({ ...hourly, label: 'read' }),
        table.metricConsumedWriteCapacityUnits({ ...hourly, label: 'write' }),
      ],
    },
    {
      title: 'Bytes logged',
      metrics: functions.map(
        ({ node, logGroup }) =>
          new Metric({
            ...hourly,
            namespace: 'AWS/Logs',
            metricName: 'IncomingBytes',
            dimensionsMap: { LogGroupName: logGroup.logGroupName },
            label: node.id,
          }),
      ),
    },
  ];
}
