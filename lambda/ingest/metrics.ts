import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { fromEnvironment } from '../environment.ts';
import { isFailed, type RunReport } from './report.ts';

/** What CloudWatch is told of each run: what a graph or an alarm shows, because each metric costs. The rest is in its log line. */
export function publishMetrics(report: RunReport): void {
  const { chain, faults } = report;
  const metrics = metricsOf(chain);
  metrics.addMetric('DaysCompleted', MetricUnit.Count, report.days.length);
  metrics.addMetric('BlocksPerSecond', MetricUnit.CountPerSecond, report.blocksPerSecond);
  // A run for one day tells its caller: how far behind the chain is, and whether its schedule works, is not for it to say.
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

  for (const [endpoint, kinds] of Object.entries(faults)) {
    for (const [kind, count] of Object.entries(kinds)) {
      const single = metrics.singleMetric();
      single.addDimensions({ chain, endpoint, kind });
      single.addMetric('Faults', MetricUnit.Count, count);
    }
  }
}

/** What CloudWatch is told of a run that ended without a report. */
export function publishFailedRun(chain: string): void {
  const metrics = metricsOf(chain);
  metrics.addMetric(FAILED_RUNS, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

const FAILED_RUNS = 'FailedRuns';

function metricsOf(chain: string): Metrics {
  const metrics = new Metrics({ namespace: fromEnvironment('metricsNamespace'), serviceName: 'ingest' });
  metrics.addDimension('chain', chain);
  return metrics;
}
