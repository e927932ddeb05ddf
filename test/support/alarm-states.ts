import * as z from 'zod';
import { environment } from '#lambda/environment.ts';
import { type Properties, propertiesOf, templateOf } from './stack.ts';

/* Evaluates the alarms of the template over metrics as CloudWatch does: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html */

/** A value of a metric at a time, in milliseconds. */
export interface Sample {
  readonly at: number;
  /** Name and dimensions, such as `FailedRuns chain=BASE service=ingest`. */
  readonly metric: string;
  readonly value: number;
}

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

const alarms = propertiesOf(templateOf({ probe: true }), 'AWS::CloudWatch::Alarm');

const nameOfMetric = ({ MetricName, Dimensions }: Properties): string =>
  [MetricName, ...Dimensions.map(({ Name, Value }: Properties) => `${Name}=${Value}`).toSorted()].join(' ');

const statistics: Record<string, (values: readonly number[]) => number> = {
  Minimum: (values) => Math.min(...values),
  Maximum: (values) => Math.max(...values),
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
};

/** Returns the metric of an alarm, its statistic and period, and the divisor of its expression. Metrics of AWS go by their name alone. */
function sourceOf(alarm: Properties) {
  const parts: Properties[] = alarm.Metrics ?? [];
  const [stat] = parts.flatMap(({ MetricStat }) => MetricStat ?? []);
  const metric = stat?.Metric ?? alarm;
  const [expression = ''] = parts.flatMap(({ Expression }) => Expression ?? []);
  return {
    metric: metric.Namespace === 'Test' ? nameOfMetric(metric) : metric.MetricName,
    statistic: stat?.Stat ?? alarm.Statistic,
    periodMs: (stat?.Period ?? alarm.Period) * 1_000,
    divisor: Number(/ \/ (\d+)$/.exec(expression)?.[1] ?? 1),
  };
}

/**
 * Returns the state of an alarm at a time.
 * @param name without the name of the stack
 * @param before the state until then, which an alarm keeps that ignores missing data
 */
function stateAt(name: string, samples: readonly Sample[], now: number, before: AlarmState): AlarmState {
  const alarm = alarms.find(({ AlarmName }) => AlarmName === `Test-${name}`);
  if (!alarm) throw new Error(`There is no alarm ${name}`);
  const { metric, statistic, periodMs, divisor } = sourceOf(alarm);
  const isBreaching = Array.from({ length: alarm.EvaluationPeriods }, (_, back) => {
    const end = now - back * periodMs;
    const values = samples.filter((one) => one.metric === metric && one.at > end - periodMs && one.at <= end);
    if (values.length === 0) return undefined;
    return (
      (statistics[statistic]?.(values.map(({ value }) => value)) ?? Number.NaN) / divisor > alarm.Threshold
    );
  });
  const known = isBreaching.filter((one) => one !== undefined);
  if (known.length === 0) {
    if (alarm.TreatMissingData === 'ignore') return before;
    return alarm.TreatMissingData === 'missing' ? 'INSUFFICIENT_DATA' : 'OK';
  }
  const counted = isBreaching.map((one) => one ?? alarm.TreatMissingData === 'breaching');
  return counted.every(Boolean) ? 'ALARM' : 'OK';
}

/**
 * Returns the minutes after which an alarm is in a state for the first time.
 * @param from milliseconds
 */
export function minutesUntil(
  state: AlarmState,
  name: string,
  samples: readonly Sample[],
  from: number,
): number {
  let current: AlarmState = 'INSUFFICIENT_DATA';
  const last = Math.max(...samples.map(({ at }) => at)) + 24 * 3_600_000;
  for (let now = from; now <= last; now += 60_000) {
    current = stateAt(name, samples, now, current);
    if (current === state) return (now - from) / 60_000;
  }
  return Number.POSITIVE_INFINITY;
}

const lineSchema = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

/** Returns the samples that code writes to the log as metrics. */
export function samplesOf(at: number, publish: () => void): Sample[] {
  Object.assign(process.env, {
    [environment.metricsNamespace]: 'Test',
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_METRICS_DISABLED: 'false',
  });
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  try {
    publish();
    return log.mock.calls.flatMap(([text]) => {
      const line = lineSchema.parse(JSON.parse(text));
      return line._aws.CloudWatchMetrics.flatMap(({ Dimensions: [names = []], Metrics }) =>
        Metrics.map(({ Name }) => ({
          at,
          metric: [Name, ...names.map((name) => `${name}=${line[name]}`).toSorted()].join(' '),
          value: Number(line[Name]),
        })),
      );
    });
  } finally {
    log.mockRestore();
  }
}
