import * as z from 'zod';
import { environment } from '#lambda/environment.ts';

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html */
const lineSchema = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string(), Unit: z.string() })),
      }),
    ),
  }),
});

/** Returns the lines that code writes to the log as metrics. */
export function metricLines(publish: () => void) {
  // POWERTOOLS_DEV writes to the console that a test can observe, but disables metrics unless the last is set.
  Object.assign(process.env, {
    [environment.metricsNamespace]: 'Test',
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_METRICS_DISABLED: 'false',
  });
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  try {
    publish();
    return log.mock.calls.map(([text]) => lineSchema.parse(JSON.parse(text)));
  } finally {
    log.mockRestore();
  }
}
