import type { Stage } from '#lib/chain-insights-stack.ts';
import { metricLines } from './metric-lines.ts';
import { type Compared, comparedOf, type Measured, rangesOf, type Sample } from './metric-math.ts';
import { type AlarmState, stateOf } from './missing-data.ts';
import { nameOf, type Properties, templateOf } from './stack.ts';

/*
 * Evaluates the alarms of the template over metrics as CloudWatch does, and lists the emails:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 */

/** An email about a change of a state, without the name of the stack. */
export interface Mail {
  readonly topic: 'page' | 'notice';
  readonly alarm: string;
  readonly state: AlarmState;
  /** Minutes since the time from which emails are listed. */
  readonly minutes: number;
}

/** A choice where CloudWatch's documentation leaves one. A drill must have the same result with each. */
export interface Behavior {
  /** Seed of the order in which alarms are evaluated, each once a minute at a second of its own. */
  readonly order: number;
  /** Periods before its evaluation periods to which an alarm looks back. The example of the documentation has 2. */
  readonly lookback: number;
  /** FILL fills a metric without any value too. */
  readonly fillsEmpty: boolean;
}

export const behaviors: readonly Behavior[] = [0, 1, 2, 3, 4, 5].map((order) => ({
  order,
  lookback: [2, 0, 3][order % 3] ?? 0,
  fillsEmpty: order % 2 === 0,
}));

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface MetricAlarm {
  readonly name: string;
  readonly properties: Properties;
  readonly compared: Compared;
  readonly everyMs: number;
}

function metricAlarmOf(properties: Properties): MetricAlarm {
  const compared = comparedOf(properties);
  // Alarms over more than a day are evaluated once an hour.
  const everyMs = properties.EvaluationPeriods * compared.periodMs > DAY_MS ? 60 * MINUTE_MS : MINUTE_MS;
  return { name: shortName(properties.AlarmName), properties, compared, everyMs };
}

const shortName = (name: string): string => name.replace(/^Test-/, '');

/** Returns the alarms of a stage with a probe. */
function alarmsOf(stage: Stage) {
  const template = templateOf({ probe: true, ...stage });
  const found = Object.entries(template.findResources('AWS::CloudWatch::Alarm'));
  const combined = Object.entries(template.findResources('AWS::CloudWatch::CompositeAlarm'));
  const names = Object.fromEntries(
    [...found, ...combined].map(([id, { Properties }]) => [id, shortName(Properties.AlarmName)]),
  );
  const rules = Object.values(template.findResources('AWS::Events::Rule'));
  return {
    metric: found.map(([, { Properties }]) => metricAlarmOf(Properties)),
    composite: combined.map(([, { Properties }]) => ({
      name: shortName(Properties.AlarmName),
      properties: Properties as Properties,
      isTrue: ruleOf(Properties.AlarmRule, names),
      suppressor: Properties.ActionsSuppressor && names[nameOf(Properties.ActionsSuppressor)],
    })),
    rules: rules
      .map(({ Properties }) => Properties as Properties)
      .filter(({ EventPattern }) => EventPattern?.source?.includes('aws.cloudwatch')),
  };
}

type Composite = ReturnType<typeof alarmsOf>['composite'][number];
type States = Record<string, AlarmState>;

/** Returns the rule of a composite alarm as a function of the states of the others. */
function ruleOf(rule: Properties | string, names: Readonly<Record<string, string>>) {
  const parts: (string | Properties)[] = typeof rule === 'string' ? [rule] : rule['Fn::Join'][1];
  const code = parts
    .map((part) => (typeof part === 'string' ? part : (names[nameOf(part)] ?? '')))
    .join('')
    .replaceAll(/(ALARM|OK|INSUFFICIENT_DATA)\("([^"]+)"\)/g, "states['$2'] === '$1'")
    .replaceAll(' OR ', ' || ')
    .replaceAll(' AND ', ' && ');
  return new Function('states', `return ${code};`) as (states: States) => boolean;
}

const ACTIONS = {
  ALARM: 'AlarmActions',
  OK: 'OKActions',
  INSUFFICIENT_DATA: 'InsufficientDataActions',
} as const;

const topicOf = (target: unknown): Mail['topic'] =>
  nameOf(target).startsWith('MonitoringPages') ? 'page' : 'notice';

/** Returns whether an event matches the pattern of a rule of EventBridge. */
function matches(pattern: Properties, event: Properties | undefined): boolean {
  return Object.entries(pattern).every(([key, wanted]) =>
    Array.isArray(wanted)
      ? wanted.some((one) => matchesValue(one, event?.[key]))
      : matches(wanted, event?.[key]),
  );
}

function matchesValue(wanted: Properties | string, value: string | undefined): boolean {
  if (typeof wanted === 'string') return value === wanted;
  if ('exists' in wanted) return (value !== undefined) === wanted.exists;
  if ('prefix' in wanted) return value?.startsWith(wanted.prefix) ?? false;
  throw new Error(`No rule of the stack has a pattern of this kind: ${JSON.stringify(wanted)}`);
}

/** Returns a number below one for each alarm and seed, which is its second within each minute. */
const phaseOf = (name: string, seed: number): number =>
  ([...`${seed} ${name} ${seed}`].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0,
    2_166_136_261,
  ) %
    9_973) /
  9_973;

/** Times are milliseconds since 1970. */
export interface Watched {
  /** When the alarms are created. */
  readonly begin: number;
  /** Earlier emails are left out. */
  readonly from: number;
  readonly until: number;
  readonly stage?: Stage | undefined;
}

/** Lists the emails of a stage with a probe, and the states of its alarms at the end. */
export function runAlarms(measured: Measured, watched: Watched, { order, lookback, fillsEmpty }: Behavior) {
  const { begin, from, until, stage = {} } = watched;
  const { metric, composite, rules } = alarmsOf(stage);
  const states: States = {};
  const mails: Mail[] = [];
  /** Composite alarms whose actions wait: for a suppressor to start, while it is active, and for a time after it. */
  const held = new Map<string, { readonly by: string; readonly until: number }>();

  const send = (target: unknown, alarm: string, state: AlarmState, now: number): void => {
    if (now >= from)
      mails.push({ topic: topicOf(target), alarm, state, minutes: Math.floor((now - from) / MINUTE_MS) });
  };
  const act = (name: string, properties: Properties, state: AlarmState, now: number): void => {
    for (const target of properties[ACTIONS[state]] ?? []) send(target, name, state, now);
  };
  const hold = ({ name, properties, suppressor }: Composite, now: number): boolean => {
    if (!suppressor) return false;
    const wait = properties.ActionsSuppressorWaitPeriod * 1_000;
    const isActive = states[suppressor] === 'ALARM';
    held.set(name, isActive ? { by: 'Alarm', until: Infinity } : { by: 'WaitPeriod', until: now + wait });
    return true;
  };
  const change = (
    name: string,
    properties: Properties,
    state: AlarmState,
    now: number,
    acting?: Composite,
  ) => {
    const before = states[name] ?? 'INSUFFICIENT_DATA';
    states[name] = state;
    if (state === before) return;
    const detail = {
      alarmName: `Test-${name}`,
      state: { value: state },
      previousState: { value: before, actionsSuppressedBy: held.get(name)?.by },
    };
    const event = { source: 'aws.cloudwatch', 'detail-type': 'CloudWatch Alarm State Change', detail };
    for (const { EventPattern, Targets } of rules)
      if (matches(EventPattern, event)) send(Targets[0].Arn, name, state, now);
    held.delete(name);
    if (state !== 'ALARM' || !acting || !hold(acting, now)) act(name, properties, state, now);
    for (const one of composite)
      change(one.name, one.properties, one.isTrue(states) ? 'ALARM' : 'OK', now, one);
  };
  const release = (one: Composite, now: number): void => {
    const wait = held.get(one.name);
    // Its actions are done, or wait for nothing.
    if (!wait || Number.isNaN(wait.until)) return;
    if (states[one.suppressor ?? ''] === 'ALARM') held.set(one.name, { by: 'Alarm', until: Infinity });
    else if (wait.until === Infinity) {
      const extension = one.properties.ActionsSuppressorExtensionPeriod * 1_000;
      held.set(one.name, { by: 'ExtensionPeriod', until: now + extension });
    } else if (now >= wait.until) {
      // The event of the end still names what held the actions at first: we assume the worst.
      held.set(one.name, { by: wait.by, until: Number.NaN });
      act(one.name, one.properties, 'ALARM', now);
    }
  };

  const ordered = metric
    .map((alarm) => ({
      ...alarm,
      phase: phaseOf(alarm.name, order),
      rangeAt: rangesOf(alarm.compared, measured, alarm.properties.EvaluationPeriods + lookback, fillsEmpty),
    }))
    .toSorted((one, other) => one.phase - other.phase);
  const start = Math.floor(begin / MINUTE_MS) * MINUTE_MS;
  for (const one of composite)
    change(one.name, one.properties, one.isTrue(states) ? 'ALARM' : 'OK', start, one);
  for (let minute = start; minute <= until; minute += MINUTE_MS) {
    for (const { name, properties, rangeAt, everyMs, phase } of ordered) {
      const shift = Math.floor((phase * everyMs) / MINUTE_MS) * MINUTE_MS;
      if ((minute - start) % everyMs !== shift) continue;
      const before = states[name] ?? 'INSUFFICIENT_DATA';
      const now = minute + Math.floor(phase * MINUTE_MS);
      change(
        name,
        properties,
        stateOf(rangeAt(minute), properties as Parameters<typeof stateOf>[1], before),
        now,
      );
    }
    for (const one of composite) release(one, minute + MINUTE_MS);
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
