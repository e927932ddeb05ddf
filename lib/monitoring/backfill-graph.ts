import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { AlarmTexts } from './alarm-texts.ts';
import { notEmptyAlarm } from './not-empty-alarm.ts';

/** Graphs outcomes of backfills, and alarms on failures. A backfill that an operator stops is not a failure. */
export function backfillGraph(machine: StateMachine, texts: AlarmTexts): CustomMetricGroup {
  const hourly = { period: Duration.hours(1), statistic: Stats.SUM };
  return {
    title: 'Backfills',
    metrics: [
      machine.metricStarted({ ...hourly, label: 'started' }),
      machine.metricSucceeded({ ...hourly, label: 'succeeded' }),
      machine.metricAborted({ ...hourly, label: 'stopped' }),
      {
        metric: machine.metricFailed({ ...hourly, label: 'failed' }),
        ...notEmptyAlarm('backfill-failed', texts),
      },
    ],
  };
}
