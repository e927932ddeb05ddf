import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { AlarmTexts } from './alarm-texts.ts';

/** Alarms (`events-failing`) when two runs within an hour could not send events. One may meet a fault that passes. */
export const failingEventsAlarm = (namespace: string, texts: AlarmTexts): CustomMetricGroup => ({
  title: 'Runs that could not send events',
  metrics: [
    {
      metric: new Metric({
        namespace,
        metricName: 'FailedEvents',
        dimensionsMap: { service: 'ingest' },
        statistic: Stats.SUM,
        // The longest interval between two runs is half of it.
        period: Duration.hours(1),
        label: 'runs',
      }),
      alarmFriendlyName: 'events-failing',
      addAlarm: {
        Critical: {
          ...texts('events-failing'),
          threshold: 2,
          comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
          datapointsToAlarm: 1,
          // Runs write the metric only when they fail.
          treatMissingDataOverride: TreatMissingData.NOT_BREACHING,
        },
      },
    },
  ],
});
