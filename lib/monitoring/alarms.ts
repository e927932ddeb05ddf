import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarm,
  type IAlarmAction,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { QueryApi } from '../api/query-api.ts';
import type { Backfill } from '../backfill/backfill.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { ServiceFunction } from '../service-function.ts';
import { type AlarmName, alarmTexts, type Described, type Severity } from './alarm-texts.ts';
import { HALF_AN_HOUR, latenessOf, openConflicts } from './metrics.ts';

export interface Monitored {
  readonly table: TableV2;
  readonly ingest: Ingest;
  /** The daily export, which also sends the daily email. */
  readonly exporter: ServiceFunction;
  readonly backfill: Backfill;
  readonly api: QueryApi;
}

export interface Resources extends Monitored {
  readonly chains: readonly string[];
  readonly actions: Readonly<Record<Severity, IAlarmAction>>;
  readonly described: Described;
}

/** Creates the alarms in the order of the dashboard. One cause has one email at once; notices share one a day. */
export function createAlarms(scope: Construct, resources: Resources) {
  const { actions, described, chains, exporter } = resources;
  const make = makerOf(scope, described);
  const conflict = make.alarm('conflict', {
    metric: openConflicts(described.stackName),
    treatMissingData: TreatMissingData.IGNORE,
  });
  const stale = make.alarm('export-stale', {
    metric: noneWorked(exporter, Duration.hours(6)),
    // The last export that worked is before them, where the evaluation range still holds it.
    evaluationPeriods: 5,
    treatMissingData: TreatMissingData.IGNORE,
  });
  const api = apiAlarm(make, resources);
  // A chain alone is late when all are.
  const single = chains.length > 1 ? chains.map((chain) => chainAlarm(make, described, chain)) : [];
  const paging = [...single, ingestAlarm(make, described, api), api, conflict];
  for (const alarm of paging) alarm.addAlarmAction(actions.page);
  stale.addAlarmAction(actions.notice);
  return [...paging, stale, ...noticeAlarms(make, resources)];
}

type Condition = Pick<AlarmProps, 'metric'> & Partial<AlarmProps>;
type Maker = ReturnType<typeof makerOf>;

/** Returns functions that create alarms without actions. */
const makerOf = (scope: Construct, described: Described) => ({
  /** Creates an alarm above a threshold, by default 0. One without data is fine unless the condition says otherwise. */
  alarm: (name: AlarmName, condition: Condition, options: Parameters<typeof alarmTexts>[2] = {}) =>
    new Alarm(scope, options.subject === undefined ? name : `${name}-${options.subject}`, {
      ...alarmTexts(described, name, options),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...condition,
    }),
  /** Combines parts into one alarm that acts, so that a fault sends one email. Its reason lists the parts. */
  composite: (name: AlarmName, parts: readonly IAlarm[], suppressor?: IAlarm) => {
    const { alarmName, ...texts } = alarmTexts(described, name, {});
    return new CompositeAlarm(scope, `Any-${name}`, {
      compositeAlarmName: alarmName,
      ...texts,
      alarmRule: AlarmRule.anyOf(...parts.map((part) => AlarmRule.fromAlarm(part, AlarmState.ALARM))),
      ...(suppressor && {
        actionsSuppressor: suppressor,
        // Longer than a part takes to end, once its cause has ended.
        actionsSuppressorExtensionPeriod: Duration.hours(1),
      }),
    });
  },
});

/**
 * Starts after this number of periods above the threshold. CloudWatch evaluates one more, which holds the last value: FILL repeats it, so
 * that later periods without a value count. Without any value, as before the first run, the alarm keeps its state.
 */
const sustained = (periods: number) => ({
  evaluationPeriods: periods + 1,
  datapointsToAlarm: periods,
  treatMissingData: TreatMissingData.IGNORE,
});

const A_DAY_SECONDS = 86_400;
/** Hours late from which a chain is counted as late. A healthy one is half an hour late at most, after midnight. */
const LATE_HOURS = 2;

/**
 * The days of a chain are late, or will be. A period in which this chain has no value counts as a day late, if it ever had one. One in which
 * no chain has a value, or all are late, has none: `ingest` sends the email, and afterwards each chain has four hours to catch up.
 */
function chainAlarm(make: Maker, { stackName }: Described, chain: string): Alarm {
  const isItsOwn = `all < ${LATE_HOURS * 3_600} AND FILL(own, REPEAT) >= 0`;
  const metric = new MathExpression({
    expression: `IF(${isItsOwn}, FILL(own, ${A_DAY_SECONDS})) / 3600`,
    usingMetrics: { own: latenessOf(stackName, chain), all: latenessOf(stackName) },
    period: HALF_AN_HOUR,
    label: 'hours late',
  });
  return make.alarm('chain', { metric, threshold: LATE_HOURS, ...sustained(8) }, { subject: chain });
}

/** All chains are late, or nothing runs. While the API fails too, its email is enough: the table, a role or Lambda is the cause. */
function ingestAlarm(make: Maker, { stackName }: Described, api: IAlarm): CompositeAlarm {
  const metric = new MathExpression({
    expression: `IF(FILL(all, REPEAT) >= 0, FILL(all, ${A_DAY_SECONDS})) / 3600`,
    usingMetrics: { all: latenessOf(stackName) },
    period: HALF_AN_HOUR,
    label: 'hours that the least late chain is late',
  });
  const part = make.alarm('ingest', { metric, threshold: 4, ...sustained(4) }, { isPart: true });
  return make.composite('ingest', [part], api);
}

/** The API gives errors, or none at all. */
function apiAlarm(make: Maker, { api }: Resources): Alarm | CompositeAlarm {
  const share = new MathExpression({
    // Ignores a share of few requests, which one fault can cause. The probe sees an outage at that rate.
    expression: `IF(errors > ${FEW_ERRORS}, errors / requests, 0)`,
    usingMetrics: {
      errors: api.api.metricServerError({ statistic: Stats.SUM }),
      requests: api.api.metricServerError({ statistic: Stats.SAMPLE_COUNT }),
    },
  });
  const isPart = api.probe !== undefined;
  const down = make.alarm('api-down', { metric: share, threshold: 0.01, evaluationPeriods: 3 }, { isPart });
  if (!api.probe) return down;
  // Holds a call, and the time that a metric takes to arrive.
  const failing = { metric: noneWorked(api.probe, Duration.minutes(25)), ...sustained(2) };
  return make.composite('api', [down, make.alarm('probe-failing', failing, { isPart })]);
}

const FEW_ERRORS = 4;

/**
 * Returns 1 when every call of a period failed, or there was none although there was one before. The lowest of all counts, because Lambda
 * repeats an export that failed.
 */
const noneWorked = ({ function: called }: ServiceFunction, period: Duration) =>
  new MathExpression({
    expression: 'IF(FILL(failed, REPEAT) >= 0, FILL(failed, 1))',
    usingMetrics: { failed: called.metricErrors({ statistic: Stats.MINIMUM }) },
    period,
    label: 'no call worked',
  });

/** Starts with an hour above the threshold, and ends after a day without one. */
const ONE_IN_A_DAY = { evaluationPeriods: 24, datapointsToAlarm: 1 };
/** Throttled requests in an hour that callers do not notice: the SDK repeats each twice. */
const FEW_THROTTLES = 100;

/** Creates alarms of what happened within a day, which the daily email lists once. Nobody must end them. */
function noticeAlarms(make: Maker, { ingest, backfill, api, table }: Resources): Alarm[] {
  const hourly = { period: Duration.hours(1), statistic: Stats.SUM };
  const found = {
    'run-lost': { metric: ingest.lostRuns.metricNumberOfMessagesSent(hourly) },
    'backfill-failed': { metric: backfill.stateMachine.metricFailed(hourly) },
    'table-throttled': { metric: throttledRequests(table), threshold: FEW_THROTTLES },
    'api-errors': { metric: api.api.metricServerError(hourly) },
  } as const;
  return Object.entries(found).map(([name, condition]) =>
    make.alarm(name as keyof typeof found, { ...condition, ...ONE_IN_A_DAY }),
  );
}

/**
 * Returns the throttled requests of an hour. DynamoDB counts those above the stage's own limits apart from all others. It has no value for
 * a period without any; the consumed capacity always has one, because the ingest reads the table:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TroubleshootingThrottling-cloudwatch.html
 */
function throttledRequests(table: TableV2): MathExpression {
  const sum = (name: string) => table.metric(name, { statistic: Stats.SUM });
  const throttled = {
    reads: sum('ReadThrottleEvents'),
    readsAtLimit: sum('ReadMaxOnDemandThroughputThrottleEvents'),
    writes: sum('WriteThrottleEvents'),
    writesAtLimit: sum('WriteMaxOnDemandThroughputThrottleEvents'),
  };
  const counts = Object.keys(throttled).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({
    expression: `IF(used >= 0, ${counts.join(' + ')}, 0)`,
    usingMetrics: { ...throttled, used: sum('ConsumedReadCapacityUnits') },
    period: Duration.hours(1),
    label: 'throttled requests',
  });
}
