import type { Points } from './metric-math.ts';

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

export interface Limits {
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number | undefined;
  readonly TreatMissingData?: string;
}

/**
 * Returns the state of an alarm by the values of its evaluation range, the oldest first, which may be more than its evaluation periods:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 * @param before the state until then, which an alarm keeps that ignores missing data
 */
export function stateOf(points: Points, limits: Limits, before: AlarmState): AlarmState {
  const { Threshold, EvaluationPeriods, TreatMissingData = 'missing' } = limits;
  const needed = limits.DatapointsToAlarm ?? EvaluationPeriods;
  // As many real values as there are periods decide, however old; of fewer, all.
  const real = points.filter((value) => value !== undefined).slice(-EvaluationPeriods);
  const breaching = real.filter((value) => value > Threshold).length;
  const missing = EvaluationPeriods - real.length;
  if (TreatMissingData === 'breaching') return breaching + missing >= needed ? 'ALARM' : 'OK';
  if (breaching >= needed) return 'ALARM';
  if (TreatMissingData === 'notBreaching' || real.length > breaching) return 'OK';
  // Nothing, or values above the threshold alone, but too few of them: "premature alarm state".
  if (TreatMissingData === 'ignore') return before;
  if (real.length === 0) return 'INSUFFICIENT_DATA';
  const oldest = points.slice(-EvaluationPeriods).findIndex((value) => value !== undefined);
  return oldest >= 0 && EvaluationPeriods - oldest >= needed ? 'ALARM' : before;
}
