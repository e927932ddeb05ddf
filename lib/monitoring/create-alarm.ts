import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type AlarmName, alarmTexts, type Described } from './alarm-texts.ts';

interface Condition {
  readonly metric: IMetric;
  /** The alarm starts above it. */
  readonly threshold: number;
  /** Periods in a row that must exceed it. */
  readonly periods?: number;
  /** Starts with one period above the threshold, and ends after this number of periods without one. */
  readonly lasts?: number;
  /** Distinguishes alarms of one kind, such as a chain. */
  readonly subject?: string;
  /** Without data: `fine` by default. `kept` keeps the state; `unknown` is a state of its own. */
  readonly withoutData?: 'fine' | 'kept' | 'unknown';
}

const MISSING = {
  fine: TreatMissingData.NOT_BREACHING,
  kept: TreatMissingData.IGNORE,
  unknown: TreatMissingData.MISSING,
} as const;

/** Creates an alarm without an action. */
export function createAlarm(
  scope: Construct,
  described: Described,
  name: AlarmName,
  condition: Condition,
): Alarm {
  const { metric, threshold, periods = 1, lasts, subject, withoutData = 'fine' } = condition;
  return new Alarm(scope, [name, ...(subject ? [subject] : [])].join('-'), {
    ...alarmTexts(described, name, subject),
    metric,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: lasts ?? periods,
    ...(lasts !== undefined && { datapointsToAlarm: 1 }),
    treatMissingData: MISSING[withoutData],
  });
}
