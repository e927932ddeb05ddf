import { ComparisonOperator, type Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { Ingest } from '../ingest/ingest.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { AlarmTexts } from './alarms.ts';

/** How the functions do, each a line of the same graph. */
export function functionGroups(functions: readonly ServiceFunction[]): CustomMetricGroup[] {
  const of = (metric: (label: string, one: IFunction) => Metric) =>
    functions.map(({ node, function: one }) => metric(node.id, one));
  return [
    {
      title: 'Duration, p99 (ms)',
      metrics: of((label, one) => one.metricDuration({ label, statistic: Stats.p(99) })),
    },
    { title: 'Errors', metrics: of((label, one) => one.metricErrors({ label })) },
    { title: 'Throttled', metrics: of((label, one) => one.metricThrottles({ label })) },
    {
      title: 'Running at once',
      metrics: of((label, one) => one.metric('ConcurrentExecutions', { label, statistic: Stats.MAXIMUM })),
    },
  ];
}

/** The queues in which nothing should be. */
export function deadLetters({ crashes, missed }: Ingest, texts: AlarmTexts): CustomMetricGroup {
  const alarm = {
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    datapointsToAlarm: 1,
    // A queue that is empty for long tells nothing any more.
    treatMissingDataOverride: TreatMissingData.NOT_BREACHING,
  };
  return {
    title: 'Dead letters',
    metrics: [
      {
        metric: crashes.metricApproximateNumberOfMessagesVisible({
          label: 'crashed',
          statistic: Stats.MAXIMUM,
        }),
        alarmFriendlyName: 'ingest-crashed',
        addAlarm: { Critical: { ...alarm, ...texts('ingest-crashed') } },
      },
      {
        metric: missed.metricApproximateNumberOfMessagesVisible({
          label: 'not started',
          statistic: Stats.MAXIMUM,
        }),
        alarmFriendlyName: 'schedule-failing',
        addAlarm: { Critical: { ...alarm, ...texts('schedule-failing') } },
      },
    ],
  };
}
