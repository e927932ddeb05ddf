import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { isFailed, type RunReport } from '../core/ingest/report.ts';
import { fromEnvironment } from './environment.ts';

/** Publishes only those metrics of a run that a graph or an alarm uses, because each metric costs money. The log line has the rest. */
export function publishMetrics(report: RunReport): void {
  const { chain, faults } = report;
  const metrics = metricsOf(chain);
  metrics.addMetric('DaysCompleted', MetricUnit.Count, report.days.length);
  metrics.addMetric('BlocksPerSecond', MetricUnit.CountPerSecond, report.blocksPerSecond);
  // A run for one day says nothing about the lag of the chain or the health of its schedule.
  if (report.final === undefined) {
    metrics.addMetric(FAILED_RUNS, MetricUnit.Count, isFailed(report) ? 1 : 0);
    const seconds = {
      Lag: report.lagSeconds,
      HeadAge: report.headAgeSeconds,
      DataAge: report.dataAgeSeconds,
    };
    for (const [name, value] of Object.entries(seconds)) {
      if (value !== undefined) metrics.addMetric(name, MetricUnit.Seconds, value);
    }
  }
  metrics.publishStoredMetrics();
  // One metric for all chains, sent only after a failure, because each metric costs money in the hours when it is sent.
  if (report.unsentEvents !== undefined) metrics.singleMetric().addMetric(FAILED_EVENTS, MetricUnit.Count, 1);

  for (const [endpoint, kinds] of Object.entries(faults)) {
    for (const [kind, count] of Object.entries(kinds)) {
      const single = metrics.singleMetric();
      single.addDimensions({ chain, endpoint, kind });
      single.addMetric('Faults', MetricUnit.Count, count);
    }
  }
}

/** Publishes the metrics of a run that ended without a report. */
export function publishFailedRun(chain: string): void {
  const metrics = metricsOf(chain);
  metrics.addMetric(FAILED_RUNS, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

const FAILED_RUNS = 'FailedRuns';
const FAILED_EVENTS = 'FailedEvents';

function metricsOf(chain: string): Metrics {
  const metrics = new Metrics({ namespace: fromEnvironment('metricsNamespace'), serviceName: 'ingest' });
  metrics.addDimension('chain', chain);
  return metrics;
}
