import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { RunReport } from '../core/ingest/report.ts';
import { fromEnvironment } from './environment.ts';

/** Publishes only those metrics of a run that an alarm uses, because each metric costs money. Graphs of the rest query the log. */
export function publishMetrics(report: RunReport): void {
  const metrics = metricsOf(report.chain);
  const lateness = latenessSeconds(report);
  if (lateness !== undefined) {
    metrics.addMetric(LATENESS, MetricUnit.Seconds, lateness);
    metrics.publishStoredMetrics();
    // The least late of all chains shows whether they have one cause, which is one email.
    metrics.singleMetric().addMetric(LATENESS, MetricUnit.Seconds, lateness);
  }
  if (report.openConflicts !== undefined)
    metrics.singleMetric().addMetric(OPEN_CONFLICTS, MetricUnit.Count, report.openConflicts);
}

/**
 * Returns for how long the chain has been late: since the newest final block that a run could read, or since the newest day was due, which
 * is a day after the one before.
 * @returns undefined if the run does not know: it was for one day, or read no head, as the first run that fails
 */
function latenessSeconds(report: RunReport): number | undefined {
  const { final, unreadSeconds, headAgeSeconds, dataAgeSeconds = 0, unknownFork } = report;
  // The alarm of the chain fires without a metric and an alarm of its own, which would cost each chain money.
  const head = unreadSeconds ?? headAgeSeconds ?? (unknownFork === undefined ? undefined : 0);
  if (final !== undefined || head === undefined) return undefined;
  return Math.max(head, dataAgeSeconds - A_DAY, unknownFork === undefined ? 0 : A_DAY);
}

const A_DAY = 86_400;
/** A metric of each chain, and one without a chain for all. */
const LATENESS = 'Lateness';
/** One metric for all chains, which every run sends: its alarm stays until the maximum of a period is zero. */
const OPEN_CONFLICTS = 'OpenConflicts';

function metricsOf(chain: string): Metrics {
  const metrics = new Metrics({ namespace: fromEnvironment('metricsNamespace'), serviceName: 'ingest' });
  metrics.addDimension('chain', chain);
  return metrics;
}
