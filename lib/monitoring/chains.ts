import { Duration } from 'aws-cdk-lib';
import {
  ComparisonOperator,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { type CustomMetricGroup, MetricStatistic } from 'cdk-monitoring-constructs';
import type { Config } from '../config.ts';
import type { AlarmTexts } from './alarms.ts';

/** What the ingest tells of a chain (lambda/ingest/metrics.ts), as the dashboard and alarms read it. */
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
  // Within a graph each needs an ID of its own.
  const id = `seconds_${chain}`;
  const hours = (seconds: Metric) =>
    new MathExpression({
      expression: `${id} / 3600`,
      usingMetrics: { [id]: seconds },
      period: seconds.period,
      label: chain,
    });
  const hour = Duration.hours(1);
  const fiveMinutes = Duration.minutes(5);
  return {
    chain,
    /** Hours since the end of the newest day that is complete. */
    dataAge: hours(metric('DataAge', Stats.MINIMUM, hour)),
    /** The share of runs that failed, 0 to 1. */
    failing: metric('FailedRuns', Stats.AVERAGE, hour),
    /** Hours from the last block counted to the newest that is final. */
    lag: hours(metric('Lag', Stats.MINIMUM, fiveMinutes)),
    /** Hours since the newest final block, as nodes tell it: what nodes that are stuck let grow. */
    headAge: hours(metric('HeadAge', Stats.MINIMUM, fiveMinutes)),
    blocksPerSecond: metric('BlocksPerSecond', Stats.AVERAGE, fiveMinutes),
    daysCompleted: metric('DaysCompleted', Stats.SUM, hour),
  };
}

const ANY = undefined as unknown as string;

/** How far each chain is, and what holds it up. */
export function chainGroups(
  namespace: string,
  chains: readonly ReturnType<typeof chainMetrics>[],
  { dataOlderThanHours }: Config['alarms'],
  texts: AlarmTexts,
): CustomMetricGroup[] {
  return [
    {
      title: 'Hours since the newest complete day ended',
      metrics: chains.map(({ chain, dataAge }, index) => ({
        metric: dataAge,
        alarmFriendlyName: 'data-old',
        addAlarm: {
          [chain]: {
            ...texts('data-old', chain),
            threshold: dataOlderThanHours,
            comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
            datapointsToAlarm: 2,
            overrideAnnotationVisibility: index === 0,
            // A chain of which nothing is told gets older, too.
            treatMissingDataOverride: TreatMissingData.BREACHING,
          },
        },
      })),
    },
    {
      title: 'Share of runs that failed',
      metrics: chains.map(({ chain, failing }, index) => ({
        metric: failing,
        alarmFriendlyName: 'ingest-failing',
        addAlarm: {
          [chain]: {
            ...texts('ingest-failing', chain),
            threshold: 1,
            comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            datapointsToAlarm: 1,
            overrideAnnotationVisibility: index === 0,
            // If none ran, data-old is raised, and mostly a queue has the reason.
            treatMissingDataOverride: TreatMissingData.NOT_BREACHING,
          },
        },
      })),
    },
    { title: 'Hours behind the newest final block', metrics: chains.map(({ lag }) => lag) },
    { title: 'Hours since the newest final block', metrics: chains.map(({ headAge }) => headAge) },
    { title: 'Blocks a second', metrics: chains.map(({ blocksPerSecond }) => blocksPerSecond) },
    { title: 'Days completed', metrics: chains.map(({ daysCompleted }) => daysCompleted) },
    {
      title: 'Faults of nodes',
      metrics: [
        {
          namespace,
          searchQuery: 'MetricName="Faults"',
          // Those of any value; the library's type knows it as text only.
          dimensionsMap: { service: 'ingest', chain: ANY, endpoint: ANY, kind: ANY },
          statistic: MetricStatistic.SUM,
        },
      ],
    },
  ];
}
