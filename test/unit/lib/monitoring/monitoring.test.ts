import { readFileSync } from 'node:fs';
import { chainNames } from '#core/chains/chains.ts';
import { environment } from '#lambda/environment.ts';
import { publishMetrics } from '#lambda/metrics.ts';
import { alarms } from '#lib/monitoring/alarm-texts.ts';
import { type Properties, propertiesOf, templateOf, theOnly } from '#test/support/stack.ts';

const template = templateOf({ alarms: { email: 'on-call@example.com', dataOlderThanHours: 40 } });
const found = propertiesOf(template, 'AWS::CloudWatch::Alarm');
const named = (name: string) => {
  const alarm = found.find(({ AlarmName }) => AlarmName === `Test-${name}`);
  if (!alarm) throw new Error(`There is no alarm ${name}`);
  return alarm;
};
/** Returns the names of an alarm's metrics, including those in its expressions. */
const metricsOf = ({ Metrics, ...alarm }: Properties): string[] =>
  Metrics
    ? Metrics.flatMap(({ MetricStat }: Properties) => (MetricStat ? [MetricStat.Metric.MetricName] : []))
    : [alarm.MetricName];

test('has exactly these alarms', () => {
  expect(found.map(({ AlarmName }) => AlarmName).toSorted()).toEqual(
    [
      ...chainNames.flatMap((chain) => [`data-old-${chain}`, `ingest-failing-${chain}`]),
      'ingest-crashed',
      'schedule-failing',
      'events-failing',
      'backfill-failed',
      'api-errors',
      'api-slow',
      'table-throttled-reads',
      'table-throttled-writes',
    ]
      .map((name) => `Test-${name}`)
      .toSorted(),
  );
});

/** Statistic and period, in seconds, of each metric; then how many of the last periods must be above the threshold. */
const evaluations: Record<string, [metrics: string[], datapoints: string]> = {
  'data-old': [['DataAge Minimum 3600'], '2 of 2'],
  'ingest-failing': [['FailedRuns Average 3600'], '1 of 1'],
  'events-failing': [['FailedEvents Sum 3600'], '1 of 1'],
  'ingest-crashed': [['ApproximateNumberOfMessagesVisible Maximum 300'], '1 of 1'],
  'schedule-failing': [['ApproximateNumberOfMessagesVisible Maximum 300'], '1 of 1'],
  'backfill-failed': [['ExecutionsFailed Sum 3600'], '1 of 1'],
  'api-errors': [['5XXError Average 300', '5XXError SampleCount 300'], '2 of 3'],
  'api-slow': [['Latency p99 300', 'Latency SampleCount 300'], '3 of 3'],
  'table-throttled-reads': [
    ['ReadThrottleEvents Sum 300', 'ReadMaxOnDemandThroughputThrottleEvents Sum 300'],
    '2 of 2',
  ],
  'table-throttled-writes': [
    ['WriteThrottleEvents Sum 300', 'WriteMaxOnDemandThroughputThrottleEvents Sum 300'],
    '2 of 2',
  ],
};

test('evaluates each alarm over these statistics, periods and datapoints', () => {
  for (const { AlarmName, Metrics, EvaluationPeriods, DatapointsToAlarm } of found) {
    const name = AlarmName.slice('Test-'.length).replace(/-[A-Z]+$/, '');
    const metrics = Metrics.flatMap(({ MetricStat }: Properties) =>
      MetricStat ? [`${MetricStat.Metric.MetricName} ${MetricStat.Stat} ${MetricStat.Period}`] : [],
    );
    expect([name, metrics, `${DatapointsToAlarm} of ${EvaluationPeriods}`]).toEqual([
      name,
      ...(evaluations[name] ?? []),
    ]);
  }
});

test('ignores errors and latency of the API below a number of requests', () => {
  const expressions = (name: string) => named(name).Metrics.map(({ Expression }: Properties) => Expression);
  expect(expressions('api-errors')).toContain('IF(sampleCount > 4, metric)');
  expect(expressions('api-slow')).toContain('IF(sampleCount > 100, metric)');
});

test('describes each alarm’s action and publishes its start and end to the topic', () => {
  const [topic] = Object.keys(template.findResources('AWS::SNS::Topic'));
  for (const { AlarmName, AlarmDescription, AlarmActions, OKActions } of found) {
    const name = Object.keys(alarms).find((known) => AlarmName.startsWith(`Test-${known}`));
    expect(AlarmDescription).toContain(alarms[name as keyof typeof alarms].action);
    expect(AlarmDescription).toContain(`docs/runbook.md#${name}`);
    // CloudWatch's limit.
    expect(AlarmDescription.length).toBeLessThanOrEqual(1_024);
    expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
  }
});

test.each(Object.keys(alarms))('has a runbook section for %s', (name) => {
  expect(readFileSync('docs/runbook.md', 'utf8').split('\n')).toContain(`## ${name}`);
});

test('treats data as stale above the stage’s threshold, or without any report', () => {
  expect(named('data-old-BASE')).toMatchObject({
    Threshold: 40,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'breaching',
  });
  expect(JSON.stringify(named('data-old-BASE').Metrics)).toContain('seconds_BASE / 3600');
});

test('treats the ingest of a chain as failing when every run of an hour failed', () => {
  expect(named('ingest-failing-BASE')).toMatchObject({
    Threshold: 1,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
    Metrics: [{ MetricStat: { Stat: 'Average', Period: 3_600 } }],
  });
});

test('treats events as failing when two runs within an hour could not send theirs', () => {
  expect(named('events-failing')).toMatchObject({
    Threshold: 2,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
    Metrics: [
      {
        MetricStat: {
          Metric: { Namespace: 'Test', Dimensions: [{ Name: 'service', Value: 'ingest' }] },
          Stat: 'Sum',
          Period: 3_600,
        },
      },
    ],
  });
  expect(publishedMetrics('BASE')).toContain('Test FailedEvents service=ingest');
});

test.each([
  ['api-errors', '5XXError', 'GreaterThanThreshold', 0.01],
  ['api-slow', 'Latency', 'GreaterThanThreshold', 2_000],
  ['table-throttled-reads', 'ReadThrottleEvents', 'GreaterThanThreshold', 0],
  ['table-throttled-reads', 'ReadMaxOnDemandThroughputThrottleEvents', 'GreaterThanThreshold', 0],
  ['table-throttled-writes', 'WriteThrottleEvents', 'GreaterThanThreshold', 0],
  ['table-throttled-writes', 'WriteMaxOnDemandThroughputThrottleEvents', 'GreaterThanThreshold', 0],
  ['ingest-crashed', 'ApproximateNumberOfMessagesVisible', 'GreaterThanThreshold', 0],
  ['schedule-failing', 'ApproximateNumberOfMessagesVisible', 'GreaterThanThreshold', 0],
  ['backfill-failed', 'ExecutionsFailed', 'GreaterThanThreshold', 0],
])('starts %s when %s is %s %d, and ignores missing data', (name, metric, ComparisonOperator, Threshold) => {
  expect(metricsOf(named(name))).toContain(metric);
  expect(named(name)).toMatchObject({ ComparisonOperator, Threshold, TreatMissingData: 'notBreaching' });
});

test.each(chainNames)('reads metrics in alarms of %s that the ingest publishes', (chain) => {
  const published = publishedMetrics(chain);
  for (const name of [`data-old-${chain}`, `ingest-failing-${chain}`]) {
    for (const { MetricStat } of named(name).Metrics.filter(({ MetricStat }: Properties) => MetricStat)) {
      const { Namespace, MetricName, Dimensions } = MetricStat.Metric;
      const dimensions = Dimensions.map(({ Name, Value }: Properties) => `${Name}=${Value}`).toSorted();
      expect(published).toContain([Namespace, MetricName, ...dimensions].join(' '));
    }
  }
});

/** Returns the namespace, name and dimensions of each metric in the log lines of a run. */
function publishedMetrics(chain: string): string[] {
  const before = { ...process.env };
  Object.assign(process.env, {
    [environment.metricsNamespace]: 'Test',
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_METRICS_DISABLED: 'false',
  });
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  publishMetrics({
    chain,
    outcome: 'up to date',
    days: [],
    restated: [],
    blocks: 1,
    seconds: 1,
    blocksPerSecond: 1,
    lagSeconds: 1,
    headAgeSeconds: 1,
    dataAgeSeconds: 1,
    faults: {},
    unsentEvents: 'refused',
  });
  const lines = log.mock.calls.map(([line]) => JSON.parse(line));
  log.mockRestore();
  process.env = before;
  return lines.flatMap((line) =>
    line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }: Properties) =>
      Metrics.map(({ Name }: Properties) =>
        [Namespace, Name, ...Dimensions[0].map((name: string) => `${name}=${line[name]}`).toSorted()].join(
          ' ',
        ),
      ),
    ),
  );
}

test('alarms can reach the topic, which takes nothing else and nothing without TLS', () => {
  const { Statement } = theOnly(template, 'AWS::SNS::TopicPolicy').PolicyDocument;
  expect(Statement).toEqual([
    expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    expect.objectContaining({
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: expect.objectContaining({
        StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
      }),
    }),
  ]);
});

test('the address of the stage gets a mail', () => {
  expect(theOnly(template, 'AWS::SNS::Subscription')).toMatchObject({
    Protocol: 'email',
    Endpoint: 'on-call@example.com',
  });
});

test('without an address nobody is subscribed, and the alarms are there all the same', () => {
  const silent = templateOf();
  silent.resourceCountIs('AWS::SNS::Subscription', 0);
  silent.resourceCountIs('AWS::CloudWatch::Alarm', found.length);
});

describe('the dashboard', () => {
  const body = theOnly(template, 'AWS::CloudWatch::Dashboard')
    .DashboardBody['Fn::Join'][1].map((part: unknown) => (typeof part === 'string' ? part : 'token'))
    .join('');
  const widgets: Properties[] = JSON.parse(body).widgets;

  test('begins with the state of every alarm, and then the age of each chain’s data', () => {
    expect(widgets[0]).toMatchObject({ type: 'alarm', y: 0 });
    expect(widgets[0]?.properties.alarms).toHaveLength(found.length);
    expect(widgets[1]?.properties).toMatchObject({ view: 'singleValue' });
    for (const chain of chainNames) expect(JSON.stringify(widgets[1])).toContain(`"label":"${chain}"`);
  });

  test('shows exactly these graphs', () => {
    const titles = widgets.flatMap(({ type, properties: { title } }) => (type === 'metric' ? [title] : []));
    expect(titles).toEqual([
      'Hours since the newest complete day ended (healthy: at most 24.5)',
      'Hours since the newest complete day ended',
      'Share of runs that failed',
      'Runs that could not send events',
      'Hours behind the newest final block',
      'Hours since the newest final block',
      'Blocks per second',
      'Days completed',
      'Faults of nodes',
      'Backfills',
      ...['TPS', 'Latency', 'Errors', 'Errors (rate)'],
      ...['Duration, p99 (ms)', 'Errors', 'Throttles', 'Concurrent executions', 'Dead letters'],
      ...['Read Usage', 'Write Usage', 'Latency (Average)', 'Throttles', 'Errors', 'Throttled requests'],
      ...['Requests', 'GB-seconds', 'Table units', 'Bytes logged'],
    ]);
  });

  test('sums over an hour at most, because its range is two days', () => {
    expect(JSON.parse(body).start).toBe('-P2D');
    const periods = [...body.matchAll(/"period":(\d+)/g)].map(([, period]) => Number(period));
    expect(periods.length).toBeGreaterThan(0);
    expect(Math.max(...periods)).toBeLessThanOrEqual(3_600);
  });

  test('finds the faults of every chain and node, whatever they are called', () => {
    const expressions = widgets.flatMap(({ properties: { metrics = [] } }) =>
      metrics.map(([metric]: [Properties]) => metric.expression),
    );
    expect(expressions).toContain(
      `SEARCH('{"Test","service","chain","endpoint","kind"} "service"="ingest" MetricName="Faults"', 'Sum', 300)`,
    );
  });

  test.each([
    'DataAge',
    'Lag',
    'HeadAge',
    'FailedRuns',
    'FailedEvents',
    'BlocksPerSecond',
    'DaysCompleted',
    'Faults',
    '"Count"',
    'p50',
    'p99',
    '4XXError',
    '5XXError',
    'Throttles',
    'ReadThrottleEvents',
    'ConsumedReadCapacityUnits',
    'ConsumedWriteCapacityUnits',
    'IncomingBytes',
    'ConcurrentExecutions',
    'ExecutionsStarted',
    'ExecutionsAborted',
  ])('shows %s', (metric) => {
    expect(body).toContain(metric);
  });
});
