import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { RunReport } from '../core/ingest/report.ts';
import { fromEnvironment } from './environment.ts';

/** Publishes only those metrics of a run that an alarm uses, because each metric costs money. Graphs of the rest query the log. */
export function publishMetrics(report: RunReport): void {
  const metrics = metricsOf(report.chain);
  const headAge = report.unreadSeconds ?? report.headAgeSeconds;
  // The alarm of the chain fires without a metric and an alarm of its own, which would cost each chain money.
  const forkAge = report.unknownFork === undefined ? undefined : Math.max(FORK_AGE, headAge ?? 0);
  const ages = { HeadAge: forkAge ?? headAge, DataAge: report.dataAgeSeconds };
  // A run for one day says nothing about the age of the chain's data and of its head.
  const known = report.final === undefined ? Object.entries(ages) : [];
  for (const [name, seconds] of known)
    if (seconds !== undefined) metrics.addMetric(name, MetricUnit.Seconds, seconds);
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  if (report.openConflicts !== undefined)
    metrics.singleMetric().addMetric(OPEN_CONFLICTS, MetricUnit.Count, report.openConflicts);
  // One metric for all chains, sent only when there is something, because a metric costs money in the hours when it is sent.
  if (report.unpriced)
    metrics.singleMetric().addMetric(UNPRICED_DAYS, MetricUnit.Count, report.unpriced.length);
}

/** Above the threshold of `head-old`: the chain is about to stop. The log of the run says why. */
const FORK_AGE = 86_400;
/** Days that have no dollars, when the reason becomes known. */
const UNPRICED_DAYS = 'UnpricedDays';
/** One metric for all chains, which every run sends: its alarm stays until the maximum of a period is zero. */
const OPEN_CONFLICTS = 'OpenConflicts';

function metricsOf(chain: string): Metrics {
  const metrics = new Metrics({ namespace: fromEnvironment('metricsNamespace'), serviceName: 'ingest' });
  metrics.addDimension('chain', chain);
  return metrics;
}
