import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmName, AlarmTexts } from './alarm-texts.ts';

/** Alarms as soon as a count is above zero. CloudWatch reports no count for an idle queue or state machine. */
export const notEmptyAlarm = (name: AlarmName, texts: AlarmTexts) => ({
  alarmFriendlyName: name,
  addAlarm: {
    Critical: {
      ...texts(name),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: 1,
      treatMissingDataOverride: TreatMissingData.NOT_BREACHING,
    },
  },
});
