import { readFileSync } from 'node:fs';
import { defaultChainNames } from '#core/chains/chains.ts';
import { environment } from '#lambda/environment.ts';
import { publishMetrics } from '#lambda/metrics.ts';
import { alarms } from '#lib/monitoring/alarm-texts.ts';
import { nameOf, type Properties, propertiesOf, templateOf, theOnly } from '#test/support/stack.ts';

const EMAIL = 'on-call@example.com';
const template = templateOf({ probe: true, alarmEmail: EMAIL, budgetUsd: 100 });
const found = propertiesOf(template, 'AWS::CloudWatch::Alarm');
const composites = propertiesOf(template, 'AWS::CloudWatch::CompositeAlarm');
const named = (name: string) => {
  const alarm = found.find(({ AlarmName }) => AlarmName === `Test-${name}`);
  if (!alarm) throw new Error(`There is no alarm ${name}`);
  return alarm;
};
const kindOf = ({ AlarmName }: Properties) =>
  Object.keys(alarms).find((kind) => AlarmName.startsWith(`Test-${severityOf(kind)}-${kind}`)) ?? '';
const severityOf = (kind: string) => alarms[kind as keyof typeof alarms].severity;

const everyChain = (name: string) => defaultChainNames.map((chain) => `${name}-${chain}`);

test('has exactly these alarms, with their severity in the name', () => {
  const names = [
    ...['data-old', 'ingest-failing', 'head-old'].flatMap((name) => everyChain(`page-${name}`)),
    ...['conflict', 'api-errors-share', 'api-errors-hourly', 'probe-failing'].map((name) => `page-${name}`),
    ...[
      'ingest-crashed',
      'schedule-failing',
      'events-failing',
      'backfill-failed',
      'api-slow',
      'table-throttled',
    ].map((name) => `notice-${name}`),
  ];
  expect(found.map(({ AlarmName }) => AlarmName).toSorted()).toEqual(
    names.map((name) => `Test-${name}`).toSorted(),
  );
});

/** Metrics with statistic and period in seconds, the threshold, the periods above it, and the handling of missing data. */
const conditions: Record<string, [metrics: string[], threshold: number, periods: number, missing: string]> = {
  conflict: [['OpenConflicts Maximum 1800'], 0, 1, 'ignore'],
  'data-old': [['DataAge Minimum 3600'], 30, 2, 'missing'],
  'ingest-failing': [['FailedRuns Average 1800'], 0.99, 1, 'notBreaching'],
  'head-old': [['HeadAge Minimum 600'], 1, 1, 'ignore'],
  'events-failing': [['FailedEvents Sum 3600'], 1, 1, 'notBreaching'],
  'ingest-crashed': [['ApproximateNumberOfMessagesVisible Maximum 300'], 0, 1, 'notBreaching'],
  'schedule-failing': [['ApproximateNumberOfMessagesVisible Maximum 300'], 0, 1, 'notBreaching'],
  'backfill-failed': [['ExecutionsFailed Sum 3600'], 0, 1, 'notBreaching'],
  'api-errors-share': [['5XXError Average 300', '5XXError SampleCount 300'], 0.01, 2, 'notBreaching'],
  'api-errors-hourly': [['5XXError Sum 3600'], 2, 1, 'notBreaching'],
  'probe-failing': [['Errors Sum 2400'], 1, 1, 'missing'],
  'api-slow': [['Latency p99 300'], 2_000, 3, 'notBreaching'],
  'table-throttled': [
    [
      'ReadThrottleEvents Sum 300',
      'ReadMaxOnDemandThroughputThrottleEvents Sum 300',
      'WriteThrottleEvents Sum 300',
      'WriteMaxOnDemandThroughputThrottleEvents Sum 300',
      'ConsumedReadCapacityUnits Sum 300',
    ],
    0,
    2,
    'notBreaching',
  ],
};

test('evaluates each alarm under these conditions', () => {
  for (const alarm of found) {
    const name = alarm.AlarmName.replace(/^Test-(page|notice)-/, '').replace(/-[A-Z]+$/, '');
    const { MetricName, Statistic, ExtendedStatistic, Period, Metrics = [] } = alarm;
    const metrics = MetricName
      ? [`${MetricName} ${Statistic ?? ExtendedStatistic} ${Period}`]
      : Metrics.flatMap(({ MetricStat }: Properties) =>
          MetricStat ? [`${MetricStat.Metric.MetricName} ${MetricStat.Stat} ${MetricStat.Period}`] : [],
        );
    const { Threshold, EvaluationPeriods, TreatMissingData, ComparisonOperator } = alarm;
    expect([name, metrics, Threshold, EvaluationPeriods, TreatMissingData]).toEqual([
      name,
      ...(conditions[name] ?? []),
    ]);
    expect(ComparisonOperator).toBe('GreaterThanThreshold');
  }
});

test('ignores a share of errors below five requests', () => {
  const expressions = named('page-api-errors-share').Metrics.map(({ Expression }: Properties) => Expression);
  expect(expressions).toContain('IF(requests > 4, errors)');
});

test('compares ages in hours', () => {
  for (const name of ['data-old', 'head-old'])
    expect(JSON.stringify(named(`page-${name}-BASE`).Metrics)).toContain('seconds_BASE / 3600');
});

test('describes each alarm’s cause and action, and names its section of the runbook', () => {
  for (const alarm of found) {
    const kind = kindOf(alarm);
    const { when, action } = alarms[kind as keyof typeof alarms];
    expect(alarm.AlarmDescription).toContain(`${when} ${action} More: docs/runbook.md#${kind}`);
    // CloudWatch's limit.
    expect(alarm.AlarmDescription.length).toBeLessThanOrEqual(1_024);
  }
});

test.each(Object.keys(alarms))('has a runbook section for %s', (name) => {
  expect(readFileSync('docs/runbook.md', 'utf8').split('\n')).toContain(`## ${name}`);
});

describe('mails', () => {
  const topicOf = (severity: string) =>
    Object.keys(template.findResources('AWS::SNS::Topic')).find((id) =>
      id.startsWith(severity === 'page' ? 'MonitoringPages' : 'MonitoringNotices'),
    );
  const ids = Object.entries(template.findResources('AWS::CloudWatch::Alarm'));
  const childrenOf = ({ AlarmRule }: Properties) => {
    const rule = JSON.stringify(AlarmRule);
    return ids.filter(([id]) => rule.includes(`"${id}"`)).map(([, { Properties }]) => Properties);
  };

  test('come from one alarm for late data, one for the API and one for notices', () => {
    expect(composites.map(({ AlarmName }) => AlarmName).toSorted()).toEqual([
      'Test-notice',
      'Test-page-api-down',
      'Test-page-data-late',
    ]);
    for (const composite of composites) {
      const severity = composite.AlarmName.split('-')[1];
      const action = [{ Ref: topicOf(severity) }];
      expect([composite.AlarmActions, composite.OKActions]).toEqual([action, action]);
      for (const child of childrenOf(composite)) expect(severityOf(kindOf(child))).toBe(severity);
    }
  });

  test('come from every alarm, directly or through one of those', () => {
    const covered = composites.flatMap(childrenOf);
    for (const alarm of found) {
      if (kindOf(alarm) === 'conflict') expect(alarm.AlarmActions).toEqual([{ Ref: topicOf('page') }]);
      else
        expect([alarm.AlarmActions, covered.filter((child) => child === alarm).length]).toEqual([
          undefined,
          1,
        ]);
    }
  });

  test('come at once when runs or the probe stop reporting, but not from a new stage without data', () => {
    for (const alarm of found) {
      const pages = ['data-old', 'probe-failing'].includes(kindOf(alarm));
      expect(alarm.InsufficientDataActions).toEqual(pages ? [{ Ref: topicOf('page') }] : undefined);
    }
  });

  test('reach the address of the stage for either severity', () => {
    expect(propertiesOf(template, 'AWS::SNS::Subscription')).toEqual(
      ['page', 'notice'].map((severity) => ({
        Protocol: 'email',
        Endpoint: EMAIL,
        TopicArn: { Ref: topicOf(severity) },
      })),
    );
  });

  test.each([undefined, 'none' as const])(
    'reach nobody with alarmEmail: %p, and the alarms exist all the same',
    (given) => {
      const silent = templateOf({ probe: true, ...(given && { alarmEmail: given }) });
      silent.resourceCountIs('AWS::SNS::Subscription', 0);
      silent.resourceCountIs('AWS::CloudWatch::Alarm', found.length);
    },
  );

  test('reach the topics, which take nothing else and nothing without TLS', () => {
    for (const { PolicyDocument } of propertiesOf(template, 'AWS::SNS::TopicPolicy')) {
      expect(PolicyDocument.Statement).toEqual([
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
    }
  });
});

test('reads only metrics of the ingest that it publishes', () => {
  const published = defaultChainNames.flatMap(publishedMetrics);
  const own = found.flatMap(({ MetricName, Namespace, Dimensions, Metrics = [] }) => [
    { MetricName, Namespace, Dimensions },
    ...Metrics.flatMap(({ MetricStat }: Properties) => MetricStat?.Metric ?? []),
  ]);
  const read = own
    .filter(({ Namespace }) => Namespace === 'Test')
    .map(({ Namespace, MetricName, Dimensions }) => {
      const dimensions = Dimensions.map(({ Name, Value }: Properties) => `${Name}=${Value}`).toSorted();
      return [Namespace, MetricName, ...dimensions].join(' ');
    });
  expect(read).toHaveLength(3 * defaultChainNames.length + 2);
  for (const metric of read) expect(published).toContain(metric);
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
    openConflicts: 1,
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

describe('the dashboard', () => {
  const body = theOnly(template, 'AWS::CloudWatch::Dashboard')
    .DashboardBody['Fn::Join'][1].map((part: unknown) => (typeof part === 'string' ? part : 'token'))
    .join('');
  const widgets: Properties[] = JSON.parse(body).widgets;

  test('begins with the state of every alarm, and then the age of each chain’s data', () => {
    expect(widgets[0]).toMatchObject({ type: 'alarm', y: 0 });
    expect(widgets[0]?.properties.alarms).toHaveLength(found.length + composites.length);
    expect(widgets[1]?.properties).toMatchObject({ view: 'singleValue' });
    for (const chain of defaultChainNames) expect(JSON.stringify(widgets[1])).toContain(`"label":"${chain}"`);
  });

  test('has at most 50 metrics, which the allowance covers', () => {
    const metrics = widgets.flatMap(({ properties: { metrics = [] } }) => metrics);
    // A member of an expression is not shown, but counts.
    expect(metrics.filter((metric: unknown[]) => typeof metric[0] === 'string').length).toBeLessThanOrEqual(
      50,
    );
  });

  test('queries the log for what no alarm needs', () => {
    const titles = widgets.flatMap(({ type, properties }) => (type === 'log' ? [properties.title] : []));
    expect(titles).toEqual([
      'Hours behind the newest final block',
      'Blocks an hour',
      'Faults of nodes',
      'GB-seconds an hour',
    ]);
  });
});

test('saves the queries of the runbook in a folder of the stack', () => {
  const queries = propertiesOf(template, 'AWS::Logs::QueryDefinition');
  expect(queries.map(({ Name }) => Name)).toContain('Test/Failed runs');
  for (const { LogGroupNames } of queries)
    for (const name of LogGroupNames) expect(nameOf(name)).toMatch(/Logs/);
});

describe('the budget', () => {
  test('tells the address of a forecast and of a cost above it', () => {
    const { Budget, NotificationsWithSubscribers } = theOnly(template, 'AWS::Budgets::Budget');
    expect(Budget).toMatchObject({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 100, Unit: 'USD' },
    });
    expect(NotificationsWithSubscribers).toEqual(
      ['FORECASTED', 'ACTUAL'].map((NotificationType) => ({
        Notification: { NotificationType, ComparisonOperator: 'GREATER_THAN', Threshold: 100 },
        Subscribers: [{ SubscriptionType: 'EMAIL', Address: EMAIL }],
      })),
    );
  });

  test('has no name, because names are unique in an account and a new address replaces it', () => {
    expect(theOnly(template, 'AWS::Budgets::Budget').Budget).not.toHaveProperty('BudgetName');
  });

  test('is off by default: half of the regions lack it', () => {
    templateOf({ alarmEmail: EMAIL }).resourceCountIs('AWS::Budgets::Budget', 0);
  });
});
