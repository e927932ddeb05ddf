import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

/** The longest interval between two runs of a chain. Any shorter period could be without a value. */
const HALF_AN_HOUR = Duration.minutes(30);

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
  const hours = (seconds: Metric) => {
    // IDs must be unique within a graph.
    const id = `seconds_${chain}`;
    const usingMetrics = { [id]: seconds };
    return new MathExpression({
      expression: `${id} / 3600`,
      usingMetrics,
      period: seconds.period,
      label: chain,
    });
  };
  return {
    chain,
    /** Hours since the end of the newest complete day. */
    dataAge: hours(metric('DataAge', Stats.MINIMUM, Duration.hours(1))),
    /** Share of runs that failed, 0 to 1. */
    failing: metric('FailedRuns', Stats.AVERAGE, HALF_AN_HOUR),
    /** Hours since the newest final block that nodes report. Grows when nodes are stuck. */
    headAge: hours(metric('HeadAge', Stats.MINIMUM, Duration.minutes(10))),
  };
}

export type ChainMetrics = ReturnType<typeof chainMetrics>;

/** Returns the metrics of all chains together. */
export function ingestMetrics(namespace: string) {
  const metric = (metricName: string, statistic: string, period: Duration) =>
    new Metric({ namespace, metricName, dimensionsMap: { service: 'ingest' }, statistic, period });
  return {
    /** The most conflicts that a chain has open. */
    conflicts: metric('OpenConflicts', Stats.MAXIMUM, HALF_AN_HOUR),
    /** Runs that could not send events. They write the metric only then. */
    failedEvents: metric('FailedEvents', Stats.SUM, Duration.hours(1)),
  };
}
