import { environment } from '../../../lambda/environment.ts';
import { publishFailedRun, publishMetrics } from '../../../lambda/ingest/metrics.ts';
import type { RunReport } from '../../../lambda/ingest/report.ts';

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
  // The first lets it write to the console that a test can listen to, and would alone keep it from writing.
  process.env.POWERTOOLS_DEV = 'true';
  process.env.POWERTOOLS_METRICS_DISABLED = 'false';
});
beforeEach(() => {
  process.env[environment.metricsNamespace] = 'ChainInsights/test';
});
afterAll(() => {
  process.env = before;
});

/** The lines that CloudWatch is given of a run. */
const linesOf = (given: RunReport) => linesFrom(() => publishMetrics(given));

function linesFrom(publish: () => void): Line[] {
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  try {
    publish();
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

test('a run is one line, of its chain, in the namespace of its stage', () => {
  const lines = linesOf(report);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ service: 'ingest', chain: 'BSC' });
  expect(lines[0]?._aws.CloudWatchMetrics).toEqual([
    expect.objectContaining({ Namespace: 'ChainInsights/test', Dimensions: [['service', 'chain']] }),
  ]);
});

test('it tells what the run did, with units', () => {
  expect(valuesOf(linesOf(report)[0])).toEqual({
    DaysCompleted: [2, 'Count'],
    BlocksPerSecond: [222, 'Count/Second'],
    FailedRuns: [0, 'Count'],
    Lag: [40, 'Seconds'],
    HeadAge: [65, 'Seconds'],
    DataAge: [43_200, 'Seconds'],
  });
});

test('a run that failed counts as one, and what is not known of it is not told', () => {
  const { lagSeconds, headAgeSeconds, dataAgeSeconds, head, ...without } = report;
  const [line] = linesOf({ ...without, outcome: 'failed', reason: 'no endpoint' });
  expect(valuesOf(line)).toMatchObject({ FailedRuns: [1, 'Count'] });
  for (const name of ['Lag', 'HeadAge', 'DataAge']) expect(Object.keys(valuesOf(line))).not.toContain(name);
});

test('a run without a report counts as one that failed, and tells no more', () => {
  const lines = linesFrom(() => publishFailedRun('BSC'));
  expect(lines).toMatchObject([{ service: 'ingest', chain: 'BSC' }]);
  expect(lines[0]?._aws.CloudWatchMetrics).toEqual([
    expect.objectContaining({ Namespace: 'ChainInsights/test', Dimensions: [['service', 'chain']] }),
  ]);
  expect(valuesOf(lines[0])).toEqual({ FailedRuns: [1, 'Count'] });
});

test('without a namespace nothing is published, since it would be mixed with what is of others', () => {
  delete process.env[environment.metricsNamespace];
  expect(() => publishMetrics(report)).toThrow(
    'The environment variable POWERTOOLS_METRICS_NAMESPACE is not set',
  );
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
        Namespace: 'ChainInsights/test',
        Dimensions: [['service', 'chain', 'endpoint', 'kind']],
      }),
    ]);
  }
});
