import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { isFailed, type RunReport } from '../core/ingest/report.ts';
import { fromEnvironment } from './environment.ts';

/** Publishes only those metrics of a run that an alarm uses, because each metric costs money. Graphs of the rest query the log. */
export function publishMetrics(report: RunReport): void {
  const metrics = metricsOf(report.chain);
  // A run for one day says nothing about the lag of the chain or the health of its schedule.
  if (report.final === undefined) {
    metrics.addMetric(FAILED_RUNS, MetricUnit.Count, isFailed(report) ? 1 : 0);
    const seconds = { HeadAge: report.headAgeSeconds, DataAge: report.dataAgeSeconds };
    for (const [name, value] of Object.entries(seconds)) {
      if (value !== undefined) metrics.addMetric(name, MetricUnit.Seconds, value);
    }
  }
  metrics.publishStoredMetrics();
  if (report.openConflicts !== undefined)
    metrics.singleMetric().addMetric(OPEN_CONFLICTS, MetricUnit.Count, report.openConflicts);
  // One metric for all chains each, sent only when there is something, because each metric costs money in the hours when it is sent.
  if (report.unpriced)
    metrics.singleMetric().addMetric(UNPRICED_DAYS, MetricUnit.Count, report.unpriced.length);
  if (report.unsentEvents !== undefined) metrics.singleMetric().addMetric(FAILED_EVENTS, MetricUnit.Count, 1);
}

/** Publishes the metrics of a run that ended without a report. */
export function publishFailedRun(chain: string): void {
  const metrics = metricsOf(chain);
  metrics.addMetric(FAILED_RUNS, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

const FAILED_RUNS = 'FailedRuns';
const FAILED_EVENTS = 'FailedEvents';
/** Days that have no dollars, when the reason becomes known. */
const UNPRICED_DAYS = 'UnpricedDays';
/** One metric for all chains, which every run sends: its alarm stays until the maximum of a period is zero. */
const OPEN_CONFLICTS = 'OpenConflicts';

function metricsOf(chain: string): Metrics {
  const metrics = new Metrics({ namespace: fromEnvironment('metricsNamespace'), serviceName: 'ingest' });
  metrics.addDimension('chain', chain);
  return metrics;
}
