import type { Stage } from '#lib/chain-insights-stack.ts';
import { metricLines } from './metric-lines.ts';
import { type Properties, templateOf } from './stack.ts';

/*
 * Evaluates the alarms of the template over metrics as CloudWatch does, and lists the emails:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 */

/** A value of a metric at a time, in milliseconds. */
export interface Sample {
  readonly at: number;
  /**
   * Name and dimensions of a metric of the stack, such as `HeadAge chain=BASE service=ingest`. Metrics of AWS go by their name alone, and
   * those of a function also by the beginning of its logical ID, such as `Errors Apiprobe`.
   */
  readonly metric: string;
  readonly value: number;
}

type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** An email about a change of a state, without the name of the stack. */
export interface Mail {
  readonly topic: 'page' | 'notice';
  readonly alarm: string;
  readonly state: AlarmState;
  /** Minutes since the time from which emails are listed. */
  readonly minutes: number;
}

const MINUTE_MS = 60_000;
/** CloudWatch evaluates more often; a coarser step is enough for periods of five minutes and more. */
const STEP_MS = 5 * MINUTE_MS;

const statistics: Record<string, (values: readonly number[]) => number> = {
  Minimum: (values) => Math.min(...values),
  Maximum: (values) => Math.max(...values),
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  SampleCount: (values) => values.length,
};

/** A metric of an alarm, with the name that its expression uses. */
interface Source {
  readonly id: string;
  readonly metric: string;
  readonly statistic: string;
  readonly periodMs: number;
}

function sourceOf(
  id: string,
  { Namespace, MetricName, Dimensions = [] }: Properties,
  stat: Properties,
): Source {
  const own = Dimensions.map(({ Name, Value }: Properties) => `${Name}=${Value}`).toSorted();
  const functions = Dimensions.flatMap(({ Value }: Properties) => Value.Ref ?? []);
  const name = Namespace === 'Test' ? own : MetricName === 'Errors' ? functions.map(withoutSuffix) : [];
  return {
    id,
    metric: [MetricName, ...name].join(' '),
    statistic: stat.Stat ?? stat.Statistic,
    periodMs: stat.Period * 1_000,
  };
}

const withoutSuffix = (logicalId: string): string => logicalId.replace(/Function\w{8}$/, '');

/** Calls JavaScript that stands for a rule or an expression of the template. */
const evaluate = (code: string, names: readonly string[], values: readonly unknown[]): unknown =>
  new Function(...names, `return ${code};`)(...values);

/** The functions of metric math that the template uses. A metric without data is undefined. */
const math = {
  IF: (condition: unknown, then: number, otherwise?: number) => (condition ? then : otherwise),
  FILL: (value: number | undefined, filler: number) => value ?? filler,
};

interface MetricAlarm {
  readonly name: string;
  readonly properties: Properties;
  readonly sources: readonly Source[];
  readonly expression: string;
}

function metricAlarmOf(properties: Properties): MetricAlarm {
  const parts: Properties[] = properties.Metrics ?? [];
  const [expression = 'only'] = parts.flatMap(({ Expression }) => Expression ?? []);
  const sources = parts.flatMap(({ Id, MetricStat }) =>
    MetricStat ? [sourceOf(Id, MetricStat.Metric, MetricStat)] : [],
  );
  return {
    name: shortName(properties.AlarmName),
    properties,
    sources: parts.length === 0 ? [sourceOf('only', properties, properties)] : sources,
    expression,
  };
}

const shortName = (name: string): string => name.replace(/^Test-/, '');

/** Returns the value of an alarm's expression in the period that ends at a time; undefined without data. */
function valueAt({ sources, expression }: MetricAlarm, samples: Samples, end: number): number | undefined {
  const values = sources.map(({ metric, statistic, periodMs }) => {
    const found = samples.get(metric)?.filter(({ at }) => at > end - periodMs && at <= end) ?? [];
    return found.length === 0 ? undefined : statistics[statistic]?.(found.map(({ value }) => value));
  });
  if (values.every((value) => value === undefined)) return undefined;
  const names = [...sources.map(({ id }) => id), ...Object.keys(math)];
  const value = evaluate(expression, names, [...values, ...Object.values(math)]);
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

type Samples = ReadonlyMap<string, readonly Sample[]>;

/** Returns the state of an alarm at a time. @param before the state until then, which an alarm keeps that ignores missing data */
function stateAt(alarm: MetricAlarm, samples: Samples, now: number, before: AlarmState): AlarmState {
  const {
    EvaluationPeriods,
    DatapointsToAlarm = EvaluationPeriods,
    Threshold,
    TreatMissingData,
  } = alarm.properties;
  const periodMs = alarm.sources[0]?.periodMs ?? 0;
  const isBreaching = Array.from({ length: EvaluationPeriods }, (_, back) => {
    const value = valueAt(alarm, samples, now - back * periodMs);
    return value === undefined ? undefined : value > Threshold;
  });
  const known = isBreaching.filter((one) => one !== undefined);
  if (known.length === 0) {
    if (TreatMissingData === 'ignore') return before;
    return TreatMissingData === 'missing' ? 'INSUFFICIENT_DATA' : 'OK';
  }
  // Periods without data count only where they are fine; else the known ones decide.
  const counted = TreatMissingData === 'notBreaching' ? isBreaching : known;
  const needed = Math.min(DatapointsToAlarm, counted.length);
  return counted.filter(Boolean).length >= needed ? 'ALARM' : 'OK';
}

/** Returns the alarms of a stage with a probe. */
function alarmsOf(stage: Stage) {
  const template = templateOf({ probe: true, ...stage });
  const found = template.findResources('AWS::CloudWatch::Alarm');
  const names = Object.fromEntries(
    Object.entries(found).map(([id, { Properties }]) => [id, Properties.AlarmName]),
  );
  const composites = Object.values(template.findResources('AWS::CloudWatch::CompositeAlarm'));
  return {
    metric: Object.values(found).map(({ Properties }) => metricAlarmOf(Properties)),
    composite: composites.map(({ Properties }) => ({
      name: shortName(Properties.AlarmName),
      properties: Properties as Properties,
      rule: ruleOf(Properties.AlarmRule, names),
    })),
  };
}

/** Returns the rule of a composite alarm as JavaScript over `states`. */
function ruleOf(rule: Properties, names: Readonly<Record<string, string>>): string {
  const text = rule['Fn::Join'][1]
    .map((part: string | Properties) =>
      typeof part === 'string' ? part : shortName(names[part['Fn::GetAtt'][0]] ?? ''),
    )
    .join('');
  return text
    .replaceAll(/(ALARM|OK|INSUFFICIENT_DATA)\("([^"]+)"\)/g, "states['$2'] === '$1'")
    .replaceAll(' OR ', ' || ')
    .replaceAll(' AND ', ' && ');
}

const ACTIONS = {
  ALARM: 'AlarmActions',
  OK: 'OKActions',
  INSUFFICIENT_DATA: 'InsufficientDataActions',
} as const;

/**
 * Lists the emails of a stage with a probe, and the states of its alarms at the end.
 * @param samples from before `from`, so that the alarms have states by then
 * @param from milliseconds; earlier emails are left out
 */
export function runAlarms(samples: readonly Sample[], from: number, until: number, stage: Stage = {}) {
  const { metric, composite } = alarmsOf(stage);
  const byMetric: Samples = Map.groupBy(samples, (sample) => sample.metric);
  // The stage exists for an hour at least.
  const begin = Math.min(from - 60 * MINUTE_MS, ...samples.map(({ at }) => at));
  const states: Record<string, AlarmState> = {};
  const mails: Mail[] = [];
  const change = (name: string, properties: Properties, state: AlarmState, now: number): void => {
    const before = states[name] ?? 'INSUFFICIENT_DATA';
    states[name] = state;
    if (state === before || now < from) return;
    for (const { Ref } of properties[ACTIONS[state]] ?? []) {
      const topic = Ref.startsWith('MonitoringPages') ? 'page' : 'notice';
      mails.push({ topic, alarm: name, state, minutes: (now - from) / MINUTE_MS });
    }
  };
  for (let now = begin; now <= until; now += STEP_MS) {
    for (const alarm of metric)
      change(
        alarm.name,
        alarm.properties,
        stateAt(alarm, byMetric, now, states[alarm.name] ?? 'INSUFFICIENT_DATA'),
        now,
      );
    for (const { name, properties, rule } of composite)
      change(name, properties, evaluate(rule, ['states'], [states]) ? 'ALARM' : 'OK', now);
  }
  return { mails, states };
}

/** Returns the samples that code writes to the log as metrics. */
export const samplesOf = (at: number, publish: () => void): Sample[] =>
  metricLines(publish).flatMap((line) =>
    line._aws.CloudWatchMetrics.flatMap(({ Dimensions: [names = []], Metrics }) =>
      Metrics.map(({ Name }) => ({
        at,
        metric: [Name, ...names.map((name) => `${name}=${line[name]}`).toSorted()].join(' '),
        value: Number(line[Name]),
      })),
    ),
  );
