import { ComparisonOperator, MathExpression, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { AlarmTexts } from './alarm-texts.ts';

/**
 * Alarms (`table-throttled`) when the table throttles requests in two periods of five minutes. DynamoDB counts requests above the stage's
 * own limits apart from all others:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TroubleshootingThrottling-cloudwatch.html
 */
export const throttledTableAlarms = (table: TableV2, texts: AlarmTexts): CustomMetricGroup => ({
  title: 'Throttled requests',
  metrics: (['Read', 'Write'] as const).map((operation) => {
    const subject = `${operation.toLowerCase()}s`;
    return {
      metric: throttledRequests(table, operation, subject),
      alarmFriendlyName: 'table-throttled',
      addAlarm: {
        [operation]: {
          ...texts('table-throttled', subject),
          threshold: 0,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          datapointsToAlarm: 2,
          treatMissingDataOverride: TreatMissingData.NOT_BREACHING,
        },
      },
    };
  }),
});

function throttledRequests(table: TableV2, operation: 'Read' | 'Write', label: string): MathExpression {
  // IDs must be unique within a graph.
  const [others, atLimit] = [`other_${label}`, `limited_${label}`];
  return new MathExpression({
    // CloudWatch has no value for a period without throttled requests.
    expression: `FILL(${others}, 0) + FILL(${atLimit}, 0)`,
    usingMetrics: {
      [others]: table.metric(`${operation}ThrottleEvents`, { statistic: Stats.SUM }),
      [atLimit]: table.metric(`${operation}MaxOnDemandThroughputThrottleEvents`, { statistic: Stats.SUM }),
    },
    label,
  });
}
