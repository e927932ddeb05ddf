import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarmAction,
  type IAlarmRule,
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
import { type ChainMetrics, openConflicts } from './metrics.ts';

export interface Monitored {
  readonly table: TableV2;
  readonly ingest: Ingest;
  /** The daily export, which also sends the daily mail. */
  readonly exporter: ServiceFunction;
  readonly backfill: Backfill;
  readonly api: QueryApi;
}

export interface Resources extends Monitored {
  readonly chains: readonly ChainMetrics[];
  readonly actions: Readonly<Record<Severity, IAlarmAction>>;
  readonly described: Described;
}

/** Creates the alarms in the order of the dashboard. Each chain, the API and wrong days have a mail each; notices share one a day. */
export function createAlarms(scope: Construct, resources: Resources) {
  const { actions, chains, described } = resources;
  const conflict = createAlarm(scope, described, 'conflict', {
    metric: openConflicts(described.stackName),
    threshold: 0,
    treatMissingData: TreatMissingData.IGNORE,
  });
  const stale = staleExport(scope, resources);
  const paging = [...chains.map((chain) => chainAlarm(scope, resources, chain)), apiAlarm(scope, resources)];
  for (const alarm of [...paging, conflict]) {
    alarm.addAlarmAction(actions.page);
    alarm.addOkAction(actions.page);
  }
  stale.addAlarmAction(actions.notice);
  stale.addInsufficientDataAction(actions.notice);
  return [...paging, conflict, stale, ...noticeAlarms(scope, resources)];
}

type Condition = Pick<AlarmProps, 'metric' | 'threshold'> & Partial<AlarmProps>;

/** Creates an alarm above a threshold, without an action. One without data is fine unless the condition says otherwise. */
function createAlarm(
  scope: Construct,
  described: Described,
  name: AlarmName,
  condition: Condition,
  subject?: string,
): Alarm {
  return new Alarm(scope, [name, ...(subject ? [subject] : [])].join('-'), {
    ...alarmTexts(described, name, subject),
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    ...condition,
  });
}

/** Combines alarms into one that acts, so that a fault sends one mail. Its reason lists the alarms. */
function compositeOf(
  scope: Construct,
  described: Described,
  name: AlarmName,
  rule: IAlarmRule,
  subject?: string,
): CompositeAlarm {
  const { alarmName, alarmDescription } = alarmTexts(described, name, subject);
  return new CompositeAlarm(scope, `Any-${subject ?? name}`, {
    compositeAlarmName: alarmName,
    alarmDescription,
    alarmRule: rule,
  });
}

/** Age of a chain's newest complete day at which its data is late. A healthy chain reaches 24.5 hours. */
const DATA_OLD_HOURS = 30;
/** Hours without a new final block. An alarm between midnight and 6:00 began the evening before, so that yesterday's data is late. */
const HEAD_OLD_HOURS = 6;

/** The days of a chain are late, or will be. */
function chainAlarm(scope: Construct, { described }: Resources, { chain, dataAge, headAge }: ChainMetrics) {
  const alarm = (name: AlarmName, condition: Condition) =>
    createAlarm(scope, described, name, condition, chain);
  const dataOld = alarm('data-old', {
    metric: dataAge,
    threshold: DATA_OLD_HOURS,
    evaluationPeriods: 2,
    treatMissingData: TreatMissingData.MISSING,
  });
  const headOld = alarm('head-old', {
    metric: headAge,
    threshold: HEAD_OLD_HOURS,
    treatMissingData: TreatMissingData.IGNORE,
  });
  // A new stage has no data yet, so that neither alarm has a state. The second keeps its state when runs stop, and the first loses it.
  const hasStopped = AlarmRule.allOf(
    AlarmRule.fromAlarm(dataOld, AlarmState.INSUFFICIENT_DATA),
    AlarmRule.fromAlarm(headOld, AlarmState.OK),
  );
  const rule = AlarmRule.anyOf(dataOld, headOld, hasStopped);
  return compositeOf(scope, described, 'chain', rule, chain);
}

/** The API gives errors, or none at all. */
function apiAlarm(scope: Construct, { described, api, actions }: Resources): CompositeAlarm {
  const share = new MathExpression({
    // Ignores a share of few requests, which one fault can cause. The probe sees an outage at that rate.
    expression: `IF(errors > ${FEW_ERRORS}, errors / requests)`,
    usingMetrics: {
      errors: api.api.metricServerError({ statistic: Stats.SUM }),
      requests: api.api.metricServerError({ statistic: Stats.SAMPLE_COUNT }),
    },
  });
  const children = [
    createAlarm(scope, described, 'api-down', { metric: share, threshold: 0.01, evaluationPeriods: 3 }),
  ];
  if (api.probe) {
    const metric = api.probe.function.metricErrors({ statistic: Stats.SUM, period: PROBE_PERIOD });
    const probe = createAlarm(scope, described, 'probe-failing', {
      metric,
      threshold: 1,
      treatMissingData: TreatMissingData.MISSING,
    });
    // A new alarm has no data yet, which changes no state. Once the probe stops, that is a change.
    probe.addInsufficientDataAction(actions.page);
    children.push(probe);
  }
  return compositeOf(scope, described, 'api', AlarmRule.anyOf(...children));
}

const FEW_ERRORS = 4;
/** Holds two runs of the probe, and the time that a metric takes to arrive. */
const PROBE_PERIOD = Duration.minutes(40);

/** The daily export failed, or did not run. The lowest of its attempts counts, because Lambda repeats one that failed. */
function staleExport(scope: Construct, { described, exporter }: Resources): Alarm {
  const metric = exporter.function.metricErrors({ statistic: Stats.MINIMUM, period: Duration.hours(6) });
  return createAlarm(scope, described, 'export-stale', {
    metric,
    threshold: 0,
    evaluationPeriods: 5,
    treatMissingData: TreatMissingData.MISSING,
  });
}

/** Starts with an hour above the threshold, and ends after a day without one. */
const ONE_IN_A_DAY = { evaluationPeriods: 24, datapointsToAlarm: 1 };
/** Throttled requests in an hour that callers do not notice: the SDK repeats each twice. */
const FEW_THROTTLES = 100;

/** Creates alarms of what happened within a day, which the daily mail lists once. Nobody must end them. */
function noticeAlarms(scope: Construct, { described, ingest, backfill, api, table }: Resources): Alarm[] {
  const hourly = { period: Duration.hours(1), statistic: Stats.SUM };
  const found = {
    'run-lost': { metric: ingest.lostRuns.metricNumberOfMessagesSent(hourly), threshold: 0 },
    'backfill-failed': { metric: backfill.stateMachine.metricFailed(hourly), threshold: 0 },
    'table-throttled': { metric: throttledRequests(table), threshold: FEW_THROTTLES },
    'api-errors': { metric: api.api.metricServerError(hourly), threshold: 0 },
  } as const;
  return Object.entries(found).map(([name, condition]) =>
    createAlarm(scope, described, name as keyof typeof found, { ...condition, ...ONE_IN_A_DAY }),
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
