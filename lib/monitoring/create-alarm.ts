import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type AlarmName, alarmTexts } from './alarm-texts.ts';

interface Condition {
  readonly metric: IMetric;
  /** The alarm starts above it. */
  readonly threshold: number;
  /** Periods in a row. */
  readonly periods?: number;
  /** Distinguishes alarms of one kind, such as a chain. */
  readonly subject?: string;
  readonly isPercentile?: boolean;
  /** Without data: `fine` by default. `kept` keeps the state; `unknown` is a state of its own, which pages at once. */
  readonly withoutData?: 'fine' | 'kept' | 'unknown';
}

const MISSING = {
  fine: TreatMissingData.NOT_BREACHING,
  kept: TreatMissingData.IGNORE,
  unknown: TreatMissingData.MISSING,
} as const;

/** Creates an alarm without an action. */
export function createAlarm(scope: Construct, name: AlarmName, condition: Condition): Alarm {
  const { metric, threshold, periods = 1, subject, isPercentile, withoutData = 'fine' } = condition;
  return new Alarm(scope, [name, ...(subject ? [subject] : [])].join('-'), {
    ...alarmTexts(Stack.of(scope).stackName, name, subject),
    metric,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: periods,
    // Only percentiles: keeps the state when too few requests came for them to mean anything.
    ...(isPercentile && { evaluateLowSampleCountPercentile: 'ignore' }),
    treatMissingData: MISSING[withoutData],
  });
}
