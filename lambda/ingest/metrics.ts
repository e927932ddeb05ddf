import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { fromEnvironment } from '../environment.ts';
import { isFailed, type RunReport } from './report.ts';

/** What CloudWatch is told of each run: what a graph or an alarm shows, because each metric costs. The rest is in its log line. */
export function publishMetrics(report: RunReport): void {
  const { chain, faults } = report;
  const metrics = metricsOf(chain);
  metrics.addMetric('DaysCompleted', MetricUnit.Count, report.days.length);
  metrics.addMetric('BlocksPerSecond', MetricUnit.CountPerSecond, report.blocksPerSecond);
  metrics.addMetric(FAILED_RUNS, MetricUnit.Count, isFailed(report) ? 1 : 0);
  if (report.lagSeconds !== undefined) metrics.addMetric('Lag', MetricUnit.Seconds, report.lagSeconds);
  if (report.headAgeSeconds !== undefined) {
    metrics.addMetric('HeadAge', MetricUnit.Seconds, report.headAgeSeconds);
  }
  if (report.dataAgeSeconds !== undefined) {
    metrics.addMetric('DataAge', MetricUnit.Seconds, report.dataAgeSeconds);
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
