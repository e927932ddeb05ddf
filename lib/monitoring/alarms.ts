import { Duration, Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmRule,
  CompositeAlarm,
  type IMetric,
  MathExpression,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { QueryApi } from '../api/query-api.ts';
import type { Backfill } from '../backfill/backfill.ts';
import type { Config } from '../config.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { AlarmName } from './alarm-texts.ts';
import { createAlarm } from './create-alarm.ts';
import type { ChainMetrics, ingestMetrics } from './metrics.ts';
import { alarmTopics } from './topics.ts';

interface Resources {
  readonly chains: readonly ChainMetrics[];
  readonly all: ReturnType<typeof ingestMetrics>;
  readonly table: TableV2;
  readonly ingest: Ingest;
  readonly backfill: Backfill;
  readonly api: QueryApi;
  readonly config: Config;
}

/**
 * Creates the alarms and their mails. One mail says that data is late, one that the API is down, and one collects the notices: a fault
 * raises several alarms at once. A conflict has a mail of its own. Returns all alarms, those with mails first.
 */
export function createAlarms(scope: Construct, resources: Resources): (Alarm | CompositeAlarm)[] {
  const topics = alarmTopics(scope, resources.config);
  const [page, notice] = [new SnsAction(topics.page), new SnsAction(topics.notice)];
  const data = dataAlarms(scope, resources, page);
  const api = apiAlarms(scope, resources, page);
  const notices = noticeAlarms(scope, resources);
  const { conflicts } = resources.all;
  const conflict = createAlarm(scope, 'conflict', { metric: conflicts, threshold: 0, withoutData: 'kept' });
  const groups = [
    [conflict, page],
    [compositeOf(scope, 'page-data-late', data), page],
    [compositeOf(scope, 'page-api-down', api), page],
    [compositeOf(scope, 'notice', notices), notice],
  ] as const;
  for (const [alarm, action] of groups) {
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
  return [...groups.map(([alarm]) => alarm), ...data, ...api, ...notices];
}

/** Combines alarms into one that acts, so that a fault sends one mail. Its reason lists the alarms. */
function compositeOf(scope: Construct, name: string, children: readonly Alarm[]): CompositeAlarm {
  for (const child of children) {
    acknowledge(
      child,
      'The composite alarm acts for it, so that a fault sends one mail.',
      'cdk-validator-cfnguard::cloudwatch_alarm_action_check',
    );
  }
  return new CompositeAlarm(scope, `Any-${name}`, {
    compositeAlarmName: `${Stack.of(scope).stackName}-${name}`,
    alarmDescription:
      'One of these alarms started. The reason names it: read its description. More: docs/runbook.md',
    alarmRule: AlarmRule.anyOf(...children),
  });
}

/** Data of a chain is late, or will be. */
function dataAlarms(scope: Construct, { chains }: Resources, page: SnsAction): Alarm[] {
  return chains.flatMap(({ chain: subject, dataAge, failing, headAge }) => {
    const old = {
      metric: dataAge,
      threshold: DATA_OLDER_THAN_HOURS,
      periods: 2,
      withoutData: 'unknown',
    } as const;
    const dataOld = createAlarm(scope, 'data-old', { ...old, subject });
    // A new alarm has no data yet, which changes no state. Once runs stop reporting, that is a change.
    dataOld.addInsufficientDataAction(page);
    const head = { metric: headAge, threshold: HEAD_OLDER_THAN_HOURS, withoutData: 'kept' } as const;
    return [
      dataOld,
      createAlarm(scope, 'ingest-failing', { metric: failing, threshold: ALMOST_ALL, subject }),
      createAlarm(scope, 'head-old', { ...head, subject }),
    ];
  });
}

/** Age of a chain's newest complete day at which its data is late. A healthy chain reaches 24.5 hours. */
export const DATA_OLDER_THAN_HOURS = 30;
/** Age of the newest final block at which nodes count as stuck. Finality takes 20 minutes on Ethereum and its rollups. */
const HEAD_OLDER_THAN_HOURS = 1;

/** The share of failed runs at which all failed: CloudWatch averages are not exact. */
const ALMOST_ALL = 0.99;

/** The API gives errors, or none at all. */
function apiAlarms(scope: Construct, { api }: Resources, page: SnsAction): Alarm[] {
  const share = new MathExpression({
    // Ignores one failure of three requests at night.
    expression: `IF(requests > ${FEW_REQUESTS}, errors)`,
    usingMetrics: {
      errors: api.api.metricServerError({ statistic: Stats.AVERAGE }),
      requests: api.api.metricServerError({ statistic: Stats.SAMPLE_COUNT }),
    },
  });
  const hourly = api.api.metricServerError({ statistic: Stats.SUM, period: Duration.hours(1) });
  const found = [
    createAlarm(scope, 'api-errors', { metric: share, threshold: 0.01, periods: 2, subject: 'share' }),
    createAlarm(scope, 'api-errors', { metric: hourly, threshold: FEW_ERRORS_AN_HOUR, subject: 'hourly' }),
  ];
  if (!api.probe) return found;
  const failures = api.probe.function.metricErrors({ statistic: Stats.SUM, period: PROBE_PERIOD });
  const probe = createAlarm(scope, 'probe-failing', {
    metric: failures,
    threshold: 1,
    withoutData: 'unknown',
  });
  probe.addInsufficientDataAction(page);
  return [...found, probe];
}

const FEW_REQUESTS = 4;
const FEW_ERRORS_AN_HOUR = 2;
/** Holds two runs of the probe, and the time that a metric takes to arrive. */
const PROBE_PERIOD = Duration.minutes(40);

/** A fault that makes nothing late yet, or that a person started. */
function noticeAlarms(scope: Construct, { all, ingest, backfill, api, table }: Resources): Alarm[] {
  const isNotEmpty = (name: AlarmName, metric: IMetric) => createAlarm(scope, name, { metric, threshold: 0 });
  const hourly = { period: Duration.hours(1), statistic: Stats.SUM };
  const slow = api.api.metricLatency({ statistic: Stats.p(99) });
  return [
    isNotEmpty(
      'ingest-crashed',
      ingest.crashes.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    ),
    isNotEmpty(
      'schedule-failing',
      ingest.missed.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    ),
    // One run may meet a fault that passes. The longest interval between two is half of the period.
    createAlarm(scope, 'events-failing', { metric: all.failedEvents, threshold: 1 }),
    isNotEmpty('backfill-failed', backfill.stateMachine.metricFailed(hourly)),
    createAlarm(scope, 'api-slow', { metric: slow, threshold: 2_000, periods: 3, isPercentile: true }),
    createAlarm(scope, 'table-throttled', { metric: throttledRequests(table), threshold: 0, periods: 2 }),
  ];
}

/**
 * Returns the throttled requests of five minutes. DynamoDB counts those above the stage's own limits apart from all others. It has no
 * value for a period without any, and an alarm would then judge older values; the consumed capacity always has one, because the ingest
 * reads the table:
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
    label: 'throttled requests',
  });
}
