import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

/** Several times the interval between two runs of a chain, so that a period without a value is one without a run. */
export const HALF_AN_HOUR = Duration.minutes(30);

/**
 * Returns for how many seconds a chain has been late, as the ingest publishes it (lambda/metrics.ts): since the newest final block that a
 * run could read, or since the newest day was due. @param chain by default, the chain that is the least late
 */
export const latenessOf = (namespace: string, chain?: string): Metric =>
  new Metric({
    namespace,
    metricName: 'Lateness',
    dimensionsMap: { service: 'ingest', ...(chain !== undefined && { chain }) },
    statistic: Stats.MINIMUM,
    period: HALF_AN_HOUR,
  });

/** Returns the lateness of a chain in hours, for the dashboard. */
export function hoursLate(namespace: string, chain: string): MathExpression {
  // IDs must be unique within a graph.
  const id = `seconds_${chain}`;
  const usingMetrics = { [id]: latenessOf(namespace, chain) };
  return new MathExpression({ expression: `${id} / 3600`, usingMetrics, period: HALF_AN_HOUR, label: chain });
}

/** Returns the most conflicts that a chain has open. */
export const openConflicts = (namespace: string): Metric =>
  new Metric({
    namespace,
    metricName: 'OpenConflicts',
    dimensionsMap: { service: 'ingest' },
    statistic: Stats.MAXIMUM,
    period: HALF_AN_HOUR,
  });
