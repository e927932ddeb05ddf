import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { ServiceFunction } from '../service-function.ts';

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
