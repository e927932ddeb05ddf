import { Duration } from 'aws-cdk-lib';
import {
  ComparisonOperator,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { CustomMetricGroup, MetricWithAlarmSupport } from 'cdk-monitoring-constructs';
import type { Ingest } from '../ingest/ingest.ts';
import type { AlarmName, AlarmTexts } from './alarm-texts.ts';

interface Condition {
  /** Subject of the text, where alarms of one kind differ, such as a chain. */
  readonly subject?: string;
  /** Tells the alarms of a kind apart in the template. */
  readonly id?: string;
  readonly threshold: number;
  readonly isReached?: 'at' | 'above';
  readonly datapoints?: number;
  /** Alarms when the metric has no value. */
  readonly needsData?: boolean;
  /** Hides the line of the threshold in the graph, which another alarm has drawn. */
  readonly isHidden?: boolean;
}

/** Returns a metric with an alarm. */
const alarmOn = (
  metric: MetricWithAlarmSupport,
  name: AlarmName,
  texts: AlarmTexts,
  {
    subject,
    id = 'Critical',
    threshold,
    isReached = 'above',
    datapoints = 1,
    needsData,
    isHidden,
  }: Condition,
) => ({
  metric,
  alarmFriendlyName: name,
  addAlarm: {
    [id]: {
      ...texts(name, subject),
      threshold,
      comparisonOperator:
        isReached === 'at'
          ? ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
          : ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: datapoints,
      ...(isHidden !== undefined && { overrideAnnotationVisibility: !isHidden }),
      treatMissingDataOverride: needsData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    },
  },
});

/** Alarms as soon as a count is above zero. CloudWatch reports no count for an idle queue or state machine. */
const notEmptyAlarm = (metric: MetricWithAlarmSupport, name: AlarmName, texts: AlarmTexts) =>
  alarmOn(metric, name, texts, { threshold: 0 });

/**
 * Alarms (`data-old`) when a chain's newest complete day is stale for two hours in a row.
 * @param threshold the stage's `alarms.dataOlderThanHours`, 30 by default
 */
export const staleDataAlarm = (
  chains: readonly ChainMetrics[],
  threshold: number,
  texts: AlarmTexts,
): CustomMetricGroup => ({
  title: 'Hours since the newest complete day ended',
  metrics: chains.map(({ chain, dataAge }, index) => {
    // Data of a chain without reports grows stale too.
    const condition = {
      subject: chain,
      id: chain,
      threshold,
      datapoints: 2,
      needsData: true,
      isHidden: index > 0,
    };
    return alarmOn(dataAge, 'data-old', texts, condition);
  }),
});

/** Alarms (`ingest-failing`) when all runs of a chain failed for an hour. */
export const failingIngestAlarm = (
  chains: readonly ChainMetrics[],
  texts: AlarmTexts,
): CustomMetricGroup => ({
  title: 'Share of runs that failed',
  metrics: chains.map(({ chain, failing }, index) => {
    // Without any run, data-old starts, and a dead-letter queue usually holds the reason.
    const condition = {
      subject: chain,
      id: chain,
      threshold: 1,
      isReached: 'at',
      isHidden: index > 0,
    } as const;
    return alarmOn(failing, 'ingest-failing', texts, condition);
  }),
});

/** Alarms (`events-failing`) when two runs within an hour could not send events. One may meet a fault that passes. */
export function failingEventsAlarm(namespace: string, texts: AlarmTexts): CustomMetricGroup {
  const metric = new Metric({
    namespace,
    metricName: 'FailedEvents',
    dimensionsMap: { service: 'ingest' },
    statistic: Stats.SUM,
    // The longest interval between two runs is half of it.
    period: Duration.hours(1),
    label: 'runs',
  });
  // Runs write the metric only when they fail.
  const alarm = alarmOn(metric, 'events-failing', texts, { threshold: 2, isReached: 'at' });
  return { title: 'Runs that could not send events', metrics: [alarm] };
}

/** Alarms when a dead-letter queue of the ingest is not empty. */
export function deadLetterAlarms({ crashes, missed }: Ingest, texts: AlarmTexts): CustomMetricGroup {
  const messagesIn = (queue: Queue, label: string) =>
    queue.metricApproximateNumberOfMessagesVisible({ label, statistic: Stats.MAXIMUM });
  return {
    title: 'Dead letters',
    metrics: [
      notEmptyAlarm(messagesIn(crashes, 'crashed'), 'ingest-crashed', texts),
      notEmptyAlarm(messagesIn(missed, 'not invoked'), 'schedule-failing', texts),
    ],
  };
}

/** Graphs outcomes of backfills, and alarms on failures. A backfill that an operator stops is not a failure. */
export function backfillAlarm(machine: StateMachine, texts: AlarmTexts): CustomMetricGroup {
  const hourly = { period: Duration.hours(1), statistic: Stats.SUM };
  return {
    title: 'Backfills',
    metrics: [
      machine.metricStarted({ ...hourly, label: 'started' }),
      machine.metricSucceeded({ ...hourly, label: 'succeeded' }),
      machine.metricAborted({ ...hourly, label: 'stopped' }),
      notEmptyAlarm(machine.metricFailed({ ...hourly, label: 'failed' }), 'backfill-failed', texts),
    ],
  };
}

/**
 * Alarms (`table-throttled`) when the table throttles requests in two periods of five minutes. DynamoDB counts requests above the stage's
 * own limits apart from all others:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TroubleshootingThrottling-cloudwatch.html
 */
export const throttledTableAlarms = (table: TableV2, texts: AlarmTexts): CustomMetricGroup => ({
  title: 'Throttled requests',
  metrics: (['Read', 'Write'] as const).map((operation) => {
    const subject = `${operation.toLowerCase()}s`;
    const condition = { subject, id: operation, threshold: 0, datapoints: 2 };
    return alarmOn(throttledRequests(table, operation, subject), 'table-throttled', texts, condition);
  }),
});

function throttledRequests(table: TableV2, operation: 'Read' | 'Write', label: string): MathExpression {
  // IDs must be unique within a graph.
  const [others, atLimit] = [`other_${label}`, `limited_${label}`];
  return new MathExpression({
    // CloudWatch has no value for a period without throttled requests.
    expression: `FILL(${others}, 0) + FILL(${atLimit}, 0)`,
    usingMetrics: {
      [others]: table.metric(`${operation}ThrottleEvents`, { statistic: Stats.SUM }),
      [atLimit]: table.metric(`${operation}MaxOnDemandThroughputThrottleEvents`, { statistic: Stats.SUM }),
    },
    label,
  });
}

/** Returns a chain's metrics, as the ingest publishes them (lambda/metrics.ts). */
export function chainMetrics(namespace: string, chain: string) {
  const metric = (metricName: string, statistic: string, period: Duration) =>
    new Metric({
      namespace,
      metricName,
      dimensionsMap: { service: 'ingest', chain },
      statistic,
      period,
      label: chain,
    });
  // IDs must be unique within a graph.
  const id = `seconds_${chain}`;
  const hours = (seconds: Metric) =>
    new MathExpression({
      expression: `${id} / 3600`,
      usingMetrics: { [id]: seconds },
      period: seconds.period,
      label: chain,
    });
  const [hour, fiveMinutes] = [Duration.hours(1), Duration.minutes(5)];
  return {
    chain,
    /** Hours since the end of the newest complete day. */
    dataAge: hours(metric('DataAge', Stats.MINIMUM, hour)),
    /** Share of runs that failed, 0 to 1. */
    failing: metric('FailedRuns', Stats.AVERAGE, hour),
    /** Hours between the last counted block and the newest final one. */
    lag: hours(metric('Lag', Stats.MINIMUM, fiveMinutes)),
    /** Hours since the newest final block that nodes report. Grows when nodes are stuck. */
    headAge: hours(metric('HeadAge', Stats.MINIMUM, fiveMinutes)),
    blocksPerSecond: metric('BlocksPerSecond', Stats.AVERAGE, fiveMinutes),
    daysCompleted: metric('DaysCompleted', Stats.SUM, hour),
  };
}

export type ChainMetrics = ReturnType<typeof chainMetrics>;
