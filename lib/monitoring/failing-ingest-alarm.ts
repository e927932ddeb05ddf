import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { AlarmTexts } from './alarm-texts.ts';
import type { ChainMetrics } from './chain-metrics.ts';

/** Alarms (`ingest-failing`) when all runs of a chain failed for an hour. */
export const failingIngestAlarm = (
  chains: readonly ChainMetrics[],
  texts: AlarmTexts,
): CustomMetricGroup => ({
  title: 'Share of runs that failed',
  metrics: chains.map(({ chain, failing }, index) => ({
    metric: failing,
    alarmFriendlyName: 'ingest-failing',
    addAlarm: {
      [chain]: {
        ...texts('ingest-failing', chain),
        threshold: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        datapointsToAlarm: 1,
        overrideAnnotationVisibility: index === 0,
        // Without any run, data-old starts, and a dead-letter queue usually holds the reason.
        treatMissingDataOverride: TreatMissingData.NOT_BREACHING,
      },
    },
  })),
});
