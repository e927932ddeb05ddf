import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { ServiceFunction } from '../service-function.ts';

interface Payers {
  readonly table: TableV2;
  readonly api: RestApi;
  readonly functions: readonly ServiceFunction[];
}

/** What the bill follows from, a day at a time. */
export function costGroups({ table, api, functions }: Payers): CustomMetricGroup[] {
  const daily = { period: Duration.days(1), statistic: Stats.SUM };
  return [
    { title: 'Requests', metrics: [api.metricCount({ ...daily, label: 'API' })] },
    {
      title: 'GB-seconds of functions',
      metrics: functions.map(({ node, function: one, memorySize }, index) => {
        // Within a graph each needs an ID of its own.
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
      title: 'Units of the table',
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
