import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, type Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { AlarmTexts } from './alarms.ts';

/** What became of the backfills. One that is stopped on purpose is no failure. */
export function backfillGroup(machine: StateMachine, texts: AlarmTexts): CustomMetricGroup {
  const hourly = { period: Duration.hours(1), statistic: Stats.SUM };
  const failed: Metric = machine.metricFailed({ ...hourly, label: 'failed' });
  return {
    title: 'Backfills',
    metrics: [
      machine.metricStarted({ ...hourly, label: 'started' }),
      machine.metricSucceeded({ ...hourly, label: 'succeeded' }),
      machine.metricAborted({ ...hourly, label: 'stopped' }),
      {
        metric: failed,
        alarmFriendlyName: 'backfill-failed',
        addAlarm: {
          Critical: {
            ...texts('backfill-failed'),
            threshold: 0,
            comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
            datapointsToAlarm: 1,
            // Mostly none runs.
            treatMissingDataOverride: TreatMissingData.NOT_BREACHING,
          },
        },
      },
    ],
  };
}
