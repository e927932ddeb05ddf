import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { CustomMetricGroup } from 'cdk-monitoring-constructs';
import type { AlarmTexts } from './alarm-texts.ts';
import type { ChainMetrics } from './chain-metrics.ts';

/**
 * Alarms (`data-old`) when a chain's newest complete day is stale for two hours in a row.
 * @param thresholdHours the stage's `alarms.dataOlderThanHours`, 30 by default
 */
export const staleDataAlarm = (
  chains: readonly ChainMetrics[],
  thresholdHours: number,
  texts: AlarmTexts,
): CustomMetricGroup => ({
  title: 'Hours since the newest complete day ended',
  metrics: chains.map(({ chain, dataAge }, index) => ({
    metric: dataAge,
    alarmFriendlyName: 'data-old',
    addAlarm: {
      [chain]: {
        ...texts('data-old', chain),
        threshold: thresholdHours,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        datapointsToAlarm: 2,
        overrideAnnotationVisibility: index === 0,
        // Data of a chain without reports grows stale too.
        treatMissingDataOverride: TreatMissingData.BREACHING,
      },
    },
  })),
});
