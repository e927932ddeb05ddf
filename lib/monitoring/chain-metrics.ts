import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

export type ChainMetrics = ReturnType<typeof chainMetrics>;

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
  const hour = Duration.hours(1);
  const fiveMinutes = Duration.minutes(5);
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
