import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

/** Longer than the longest interval between two runs of a chain, 30 minutes, so that no period is without a value. */
const AN_HOUR = Duration.hours(1);

/** Returns a chain's metrics, as the ingest publishes them (lambda/metrics.ts). */
export function chainMetrics(namespace: string, chain: string) {
  const hours = (metricName: string) => {
    const dimensionsMap = { service: 'ingest', chain };
    const seconds = new Metric({ namespace, metricName, dimensionsMap, statistic: Stats.MINIMUM });
    // IDs must be unique within a graph.
    const id = `seconds_${chain}`;
    const usingMetrics = { [id]: seconds };
    return new MathExpression({ expression: `${id} / 3600`, usingMetrics, period: AN_HOUR, label: chain });
  };
  return {
    chain,
    /** Hours since the end of the newest complete day. */
    dataAge: hours('DataAge'),
    /** Hours since the newest final block that a run could read. Grows when nodes are stuck, and when every run fails. */
    headAge: hours('HeadAge'),
  };
}

export type ChainMetrics = ReturnType<typeof chainMetrics>;

/** Returns the most conflicts that a chain has open. */
export const openConflicts = (namespace: string): Metric =>
  new Metric({
    namespace,
    metricName: 'OpenConflicts',
    dimensionsMap: { service: 'ingest' },
    statistic: Stats.MAXIMUM,
    // The longest interval between two runs of a chain.
    period: Duration.minutes(30),
  });
