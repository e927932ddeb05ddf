import type { Stage } from '#lib/config.ts';
import { type Properties, templateOf } from '#test/support/aws/stack.ts';

/*
 * A change of a setting must not replace what clients and operators would lose. CloudFormation replaces a resource whose logical ID or a
 * property that can only be set at creation changes. docs/operate/settings.md lists the settings that are not harmless.
 */

/** By type, the properties that can only be set at creation. Those that our templates leave to CloudFormation must stay absent. */
const createOnly: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::S3::Bucket': ['BucketName', 'ObjectLockEnabled'],
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::ApiGateway::UsagePlan': [],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::Logs::LogGroup': ['LogGroupName', 'LogGroupClass'],
  'AWS::Lambda::Function': ['FunctionName', 'PackageType'],
  'AWS::StepFunctions::StateMachine': ['StateMachineName', 'StateMachineType'],
  'AWS::Scheduler::ScheduleGroup': ['Name'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
};

const env = { account: '111122223333', region: 'eu-central-1' };
const arn = (service: string, resource: string) =>
  `arn:aws:${service}:${env.region}:${env.account}:${resource}`;
const base: Stage = { env, protect: true, probe: true };

/** Returns what identifies each resource that must stay: its type, its logical ID and its create-only properties. And the API's URL. */
function snapshotOf(stage: Stage) {
  const { Resources, Outputs } = templateOf(stage).toJSON();
  const kept = Object.entries<Properties>(Resources).flatMap(([id, { Type, Properties = {} }]) => {
    const fixed = createOnly[Type];
    return fixed ? [JSON.stringify([Type, id, ...fixed.map((name) => Properties[name] ?? null)])] : [];
  });
  return { kept, url: JSON.stringify(Outputs.Url.Value) };
}

const before = snapshotOf(base);

test('there is something to keep', () => {
  for (const type of Object.keys(createOnly)) expect(before.kept.join()).toContain(type);
});

const changes: Readonly<Record<string, Stage>> = {
  protect: { protect: false },
  chains: {
    chains: {
      BASE: { enabled: false },
      BSC: { endpointsParameter: '/nodes/bsc', confirmations: 15, quorum: 1, startDate: '2026-01-01' },
      ETHEREUM: {
        finality: 'proven',
        beacon: { urls: ['https://b.example'] },
        checkpoint: `0x${'ab'.repeat(32)}`,
      },
      POLYGON: { evidence: 'checked' },
      UNICHAIN: { enabled: true },
    },
  },
  startDate: { startDate: '2020-01-01' },
  backfillDaysAtOnce: { backfillDaysAtOnce: 50 },
  eraBucket: { eraBucket: 'era-files' },
  tiers: {
    tiers: {
      standard: { ratePerSecond: 20, requestsPerMonth: 5 },
      free: { ratePerSecond: 1, requestsPerMonth: 1 },
    },
  },
  requestsPerSecond: { requestsPerSecond: 500 },
  pages: {
    pages: { publicDays: 30, embedOrigins: ['https://wiki.example.com'], keyUrl: 'https://example.com/keys' },
  },
  corsOrigins: { corsOrigins: ['https://example.com'] },
  webAclArn: { webAclArn: arn('wafv2', 'regional/webacl/mine/1') },
  authorizerFunctionArn: { authorizerFunctionArn: arn('lambda', 'function:allow') },
  apiLogRole: { apiLogRole: 'existing' },
  logRetentionDays: { logRetentionDays: 365 },
  kmsKeyArn: { kmsKeyArn: arn('kms', 'key/1') },
  vpc: { vpc: { subnets: ['subnet-0a'], securityGroups: ['sg-0b'] } },
  alarmEmail: { alarmEmail: 'on-call@example.com' },
  budgetUsd: { alarmEmail: 'on-call@example.com', budgetUsd: 50 },
  customDomain: { customDomain: { name: 'api.example.com', certificateArn: arn('acm', 'certificate/1') } },
};

test.each(Object.entries(changes))('a change of %s replaces nothing that must stay', (name, change) => {
  const { kept, url } = snapshotOf({ ...base, ...change });
  expect(kept).toEqual(expect.arrayContaining(before.kept));
  // Only a domain changes the address.
  expect(url === before.url).toBe(name !== 'customDomain');
});

test('the settings that docs/operate/settings.md calls not harmless remove something', () => {
  const without: readonly Stage[] = [
    { exportBucket: 'mine' },
    { pages: false },
    { probe: false },
    { tiers: { free: { ratePerSecond: 1, requestsPerMonth: 1 } } },
  ];
  for (const change of without)
    expect(snapshotOf({ ...base, ...change }).kept).not.toEqual(expect.arrayContaining(before.kept));
});
