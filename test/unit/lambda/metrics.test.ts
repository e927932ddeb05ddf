import type { RunReport } from '#core/ingest/report.ts';
import { environment } from '#lambda/environment.ts';
import { publishMetrics } from '#lambda/metrics.ts';

const report: RunReport = {
  chain: 'BSC',
  outcome: 'out of time',
  days: ['2026-11-18', '2026-11-19'],
  restated: ['2026-11-10'],
  blocks: 1_001,
  seconds: 4.5,
  blocksPerSecond: 222,
  head: 100,
  lagSeconds: 40,
  headAgeSeconds: 65,
  dataAgeSeconds: 43_200,
  faults: {},
};

interface Metric {
  readonly Name: string;
  readonly Unit: string;
}
/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html */
type Line = Readonly<Record<string, unknown>> & {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly Metric[];
    }[];
  };
};

const before = { ...process.env };
beforeAll(() => {
  // POWERTOOLS_DEV writes to the console that a test can observe, but disables metrics unless the second is set.
  process.env.POWERTOOLS_DEV = 'true';
  process.env.POWERTOOLS_METRICS_DISABLED = 'false';
});
beforeEach(() => {
  process.env[environment.metricsNamespace] = 'ChainInsights/test';
});
afterAll(() => {
  process.env = before;
});

/** Returns the lines that a run writes for CloudWatch. */
function linesOf(given: RunReport): Line[] {
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  try {
    publishMetrics(given);
    return log.mock.calls.map(([line]) => JSON.parse(line));
  } finally {
    log.mockRestore();
  }
}

/** Returns the metrics of a line with their values and units. */
const valuesOf = (line: Line | undefined) =>
  Object.fromEntries(
    (line?._aws.CloudWatchMetrics ?? [])
      .flatMap(({ Metrics }) => Metrics)
      .map(({ Name, Unit }) => [Name, [line?.[Name], Unit]]),
  );

test('publishes the figures of a run with units', () => {
  expect(valuesOf(linesOf(report)[0])).toEqual({ HeadAge: [65, 'Seconds'], DataAge: [43_200, 'Seconds'] });
});

test('publishes how long nothing was read as the age of the head, for a run that failed before its first block', () => {
  const { headAgeSeconds, ...others } = report;
  const failed: RunReport = { ...others, outcome: 'failed', reason: 'no endpoint' };
  expect(valuesOf(linesOf({ ...failed, unreadSeconds: 7_200 })[0])).toMatchObject({
    HeadAge: [7_200, 'Seconds'],
  });
  expect(valuesOf(linesOf({ ...failed, headAgeSeconds: 65, unreadSeconds: 7_200 })[0])).toMatchObject({
    HeadAge: [7_200, 'Seconds'],
  });
  expect(valuesOf(linesOf(failed)[0])).not.toHaveProperty('HeadAge');
});
