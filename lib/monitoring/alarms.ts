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
  /** The daily export, which also sends the daily email. */
  readonly exporter: ServiceFunction;
  readonly backfill: Backfill;
  readonly api: QueryApi;
}

export interface Resources extends Monitored {
  readonly chains: readonly ChainMetrics[];
  readonly actions: Readonly<Record<Severity, IAlarmAction>>;
  readonly described: Described;
}

/** Creates the alarms in the order of the dashboard. Each chain, the API and wrong days have an email each; notices share one a day. */
export function createAlarms(scope: Construct, resources: Resources) {
  const { actions, chains, described } = resources;
  const make = makerOf(scope, described);
  const conflict = make.alarm('conflict', {
    metric: openConflicts(described.stackName),
    treatMissingData: TreatMissingData.IGNORE,
  });
  const stale = staleExport(make, resources);
  const paging = [...chains.map((chain) => chainAlarm(make, chain)), apiAlarm(make, resources)];
  for (const alarm of [...paging, conflict]) {
    alarm.addAlarmAction(actions.page);
    alarm.addOkAction(actions.page);
  }
  stale.addAlarmAction(actions.notice);
  stale.addInsufficientDataAction(actions.notice);
  return [...paging, conflict, stale, ...noticeAlarms(make, resources)];
}

type Condition = Pick<AlarmProps, 'metric'> & Partial<AlarmProps>;
type Maker = ReturnType<typeof makerOf>;

/** Returns functions that create alarms without actions. The subject tells alarms of one name apart, such as a chain. */
const makerOf = (scope: Construct, described: Described) => ({
  /** Creates an alarm above a threshold, by default 0. One without data is fine unless the condition says otherwise. */
  alarm: (name: AlarmName, condition: Condition, subject?: string) =>
    new Alarm(scope, subject === undefined ? name : `${name}-${subject}`, {
      ...alarmTexts(described, name, subject),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...condition,
    }),
  /** Combines alarms into one that acts, so that a fault sends one email. Its reason lists the alarms. */
  composite: (name: AlarmName, alarmRule: IAlarmRule, subject?: string) => {
    const { alarmName, ...texts } = alarmTexts(described, name, subject);
    const id = `Any-${subject ?? name}`;
    return new CompositeAlarm(scope, id, { compositeAlarmName: alarmName, ...texts, alarmRule });
  },
});

/** Age of a chain's newest complete day at which its data is late. A healthy chain reaches 24.5 hours. */
const DATA_OLD_HOURS = 30;
/** Hours without a new final block. An alarm between midnight and 6:00 began the evening before, so that yesterday's data is late. */
const HEAD_OLD_HOURS = 6;

/** The days of a chain are late, or will be. */
function chainAlarm(make: Maker, { chain, dataAge, headAge }: ChainMetrics) {
  const late = {
    metric: dataAge,
    threshold: DATA_OLD_HOURS,
    evaluationPeriods: 2,
    treatMissingData: TreatMissingData.MISSING,
  };
  const dataOld = make.alarm('data-old', late, chain);
  const stuck = { metric: headAge, threshold: HEAD_OLD_HOURS, treatMissingData: TreatMissingData.IGNORE };
  const headOld = make.alarm('head-old', stuck, chain);
  // A new stage has no data yet, so that neither alarm has a state. The second keeps its state when runs stop, and the first loses it.
  const hasStopped = AlarmRule.allOf(
    AlarmRule.fromAlarm(dataOld, AlarmState.INSUFFICIENT_DATA),
    AlarmRule.fromAlarm(headOld, AlarmState.OK),
  );
  return make.composite('chain', AlarmRule.anyOf(dataOld, headOld, hasStopped), chain);
}

/** The API gives errors, or none at all. */
function apiAlarm(make: Maker, { api, actions }: Resources): CompositeAlarm {
  const share = new MathExpression({
    // Ignores a share of few requests, which one fault can cause. The probe sees an outage at that rate.
    expression: `IF(errors > ${FEW_ERRORS}, errors / requests)`,
    usingMetrics: {
      errors: api.api.metricServerError({ statistic: Stats.SUM }),
      requests: api.api.metricServerError({ statistic: Stats.SAMPLE_COUNT }),
    },
  });
  const children = [make.alarm('api-down', { metric: share, threshold: 0.01, evaluationPeriods: 3 })];
  if (api.probe) {
    const metric = api.probe.function.metricErrors({ statistic: Stats.SUM, period: PROBE_PERIOD });
    const probe = make.alarm('probe-failing', {
      metric,
      threshold: 1,
      treatMissingData: TreatMissingData.MISSING,
    });
    // A new alarm has no data yet, which changes no state. Once the probe stops, that is a change.
    probe.addInsufficientDataAction(actions.page);
    children.push(probe);
  }
  return make.composite('api', AlarmRule.anyOf(...children));
}

const FEW_ERRORS = 4;
/** Holds two runs of the probe, and the time that a metric takes to arrive. */
const PROBE_PERIOD = Duration.minutes(40);

/** The daily export failed, or did not run. The lowest of its attempts counts, because Lambda repeats one that failed. */
function staleExport(make: Maker, { exporter }: Resources): Alarm {
  const metric = exporter.function.metricErrors({ statistic: Stats.MINIMUM, period: Duration.hours(6) });
  const treatMissingData = TreatMissingData.MISSING;
  return make.alarm('export-stale', { metric, evaluationPeriods: 5, treatMissingData });
}

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
