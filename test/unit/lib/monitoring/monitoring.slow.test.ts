import { defaultChainNames } from '#core/chains/chains.ts';
import { publishMetrics } from '#lambda/metrics.ts';
import { samplesOf } from '#test/support/aws/alarm-states.ts';
import { healthy } from '#test/support/aws/scheduled-runs.ts';
import { propertiesOf, templateOf, theOnly } from '#test/support/aws/stack.ts';

/* Proves whom alarms and the budget tell, and what the metrics of a stage cost. */

const EMAIL = 'on-call@example.com';
const template = templateOf({ probe: true, alarmEmail: EMAIL, budgetUsd: 100 });
const alarmCount = propertiesOf(template, 'AWS::CloudWatch::Alarm').length;

describe('emails', () => {
  const topicOf = (severity: string) =>
    Object.keys(template.findResources('AWS::SNS::Topic')).find((id) =>
      id.startsWith(severity === 'page' ? 'MonitoringPages' : 'MonitoringNotices'),
    );

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
      silent.resourceCountIs('AWS::CloudWatch::Alarm', alarmCount);
    },
  );

  test('end through a rule, with the fields of an alarm that pagers know', () => {
    const [rule] = propertiesOf(template, 'AWS::Events::Rule').filter(({ EventPattern }) => EventPattern);
    expect(rule?.EventPattern.detail).toEqual({
      alarmName: [{ prefix: 'Test-page-' }],
      state: { value: ['OK'] },
      previousState: { value: ['ALARM'], actionsSuppressedBy: [{ exists: false }, 'WaitPeriod'] },
    });
    expect(rule?.Targets[0].InputTransformer.InputTemplate).toBe(
      '{"AlarmName":<detail-alarmName>,"NewStateValue":"OK","OldStateValue":"ALARM","StateChangeTime":<time>}',
    );
  });

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

test('costs one custom metric for each chain, and two for all', () => {
  expect(new Set(defaultChainNames.flatMap(publishedMetrics)).size).toBe(defaultChainNames.length + 2);
});

/** Returns the name and the dimensions of each metric that a run publishes. */
const publishedMetrics = (chain: string) =>
  samplesOf(0, () => publishMetrics({ ...healthy(chain, 0), openConflicts: 1 })).map(({ metric }) => metric);

test('the budget tells the address of a forecast and of a cost above it', () => {
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
