import { publishMetrics } from '../../../lambda/ingest/metrics.ts';
import type { IngestReport } from '../../../lambda/ingest/report.ts';

const report: IngestReport = {
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
  // The first lets it write to the console that a test can listen to, and would alone keep it from writing.
  process.env.POWERTOOLS_DEV = 'true';
  process.env.POWERTOOLS_METRICS_DISABLED = 'false';
});
afterAll(() => {
  process.env = before;
});

/** The lines that CloudWatch is given of a run. */
function linesOf(given: IngestReport): Line[] {
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  try {
    publishMetrics(given);
    return log.mock.calls.map(([line]) => JSON.parse(line));
  } finally {
    log.mockRestore();
  }
}

/** The values of the metrics of a line, with their units. */
const valuesOf = (line: Line | undefined) =>
  Object.fromEntries(
    (line?._aws.CloudWatchMetrics ?? [])
      .flatMap(({ Metrics }) => Metrics)
      .map(({ Name, Unit }) => [Name, [line?.[Name], Unit]]),
  );

test('a run is one line, of its chain, in the namespace of this service', () => {
  const lines = linesOf(report);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ service: 'ingest', chain: 'BSC' });
  expect(lines[0]?._aws.CloudWatchMetrics).toEqual([
    expect.objectContaining({ Namespace: 'ChainInsights', Dimensions: [['service', 'chain']] }),
  ]);
});

test('it tells what the run did, with units', () => {
  expect(valuesOf(linesOf(report)[0])).toEqual({
    DaysCompleted: [2, 'Count'],
    DaysRestated: [1, 'Count'],
    Blocks: [1_001, 'Count'],
    BlocksPerSecond: [222, 'Count/Second'],
    FailedRuns: [0, 'Count'],
    Lag: [40, 'Seconds'],
    HeadAge: [65, 'Seconds'],
  });
});

test('a run that failed counts as one, and what is not known of it is not told', () => {
  const { lagSeconds, headAgeSeconds, head, ...without } = report;
  const [line] = linesOf({ ...without, outcome: 'failed', reason: 'no endpoint' });
  expect(valuesOf(line)).toMatchObject({ FailedRuns: [1, 'Count'] });
  expect(Object.keys(valuesOf(line))).not.toContain('Lag');
  expect(Object.keys(valuesOf(line))).not.toContain('HeadAge');
});

test('each kind of fault of an endpoint is a line of its own', () => {
  const [, ...lines] = linesOf({
    ...report,
    faults: { 'a.example': { timeout: 2, 'bad block': 1 }, 'b.example': { 'rate limit': 3 } },
  });
  expect(lines.map((line) => [line.chain, line.endpoint, line.kind, valuesOf(line)])).toEqual([
    ['BSC', 'a.example', 'timeout', { Faults: [2, 'Count'] }],
    ['BSC', 'a.example', 'bad block', { Faults: [1, 'Count'] }],
    ['BSC', 'b.example', 'rate limit', { Faults: [3, 'Count'] }],
  ]);
  for (const line of lines) {
    expect(line._aws.CloudWatchMetrics).toEqual([
      expect.objectContaining({
        Namespace: 'ChainInsights',
        Dimensions: [['service', 'chain', 'endpoint', 'kind']],
      }),
    ]);
  }
});
