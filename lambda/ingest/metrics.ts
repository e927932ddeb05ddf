import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { IngestReport } from './report.ts';

/** What CloudWatch is told of each run, in namespace `ChainInsights`. */
export function publishMetrics({ chain, faults, ...report }: IngestReport): void {
  const metrics = new Metrics({ namespace: 'ChainInsights', serviceName: 'ingest' });
  metrics.addDimension('chain', chain);
  metrics.addMetric('DaysCompleted', MetricUnit.Count, report.days.length);
  metrics.addMetric('DaysRestated', MetricUnit.Count, report.restated.length);
  metrics.addMetric('Blocks', MetricUnit.Count, report.blocks);
  metrics.addMetric('BlocksPerSecond', MetricUnit.CountPerSecond, report.blocksPerSecond);
  metrics.addMetric('FailedRuns', MetricUnit.Count, report.outcome === 'failed' ? 1 : 0);
  if (report.lagSeconds !== undefined) metrics.addMetric('Lag', MetricUnit.Seconds, report.lagSeconds);
  if (report.headAgeSeconds !== undefined) {
    metrics.addMetric('HeadAge', MetricUnit.Seconds, report.headAgeSeconds);
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
