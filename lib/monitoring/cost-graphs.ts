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

/** Graphs of the daily usage that AWS charges for. */
export function costGraphs({ table, api, functions }: Resources): CustomMetricGroup[] {
  const daily = { period: Duration.days(1), statistic: Stats.SUM };
  return [
    { title: 'Requests', metrics: [api.metricCount({ ...daily, label: 'API' })] },
    {
      title: 'GB-seconds',
      metrics: functions.map(({ node, function: one, memorySize }, index) => {
        // IDs must be unique within a graph.
        const duration = `duration${index}`;
        return new MathExpression({
          expression: `${duration} / 1000 * ${memorySize / 1_024}`,
          usingMetrics: { [duration]: one.metricDuration(daily) },
          period: daily.period,
          label: node.id,
        });
      }),
    },
    {
      title: 'Table units',
      metrics: [
        table.metricConsumedReadCapacityUnits({ ...daily, label: 'read' }),
        table.metricConsumedWriteCapacityUnits({ ...daily, label: 'write' }),
      ],
    },
    {
      title: 'Bytes logged',
      metrics: functions.map(
        ({ node, logGroup }) =>
          new Metric({
            ...daily,
            namespace: 'AWS/Logs',
            metricName: 'IncomingBytes',
            dimensionsMap: { LogGroupName: logGroup.logGroupName },
            label: node.id,
          }),
      ),
    },
  ];
}
