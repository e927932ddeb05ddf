import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListSubscriptionsByTopicCommand, ListTopicsCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import {
  type AccountCheck,
  bootstrapParameter,
  checkAccount,
  hasFailed,
  MIN_BOOTSTRAP_VERSION,
  showAccount,
} from '#cli/doctor/account.ts';
import { readConfig, type Stage } from '#lib/config.ts';
import { stages } from '#lib/stages/stages.ts';
import { templateOf } from '#test/support/aws/stack.ts';

const parameters = mockClient(SSMClient);
const gateway = mockClient(APIGatewayClient);
const lambda = mockClient(LambdaClient);
const mails = mockClient(SNSClient);

/** An account in which a deployment of any stage succeeds. */
beforeEach(() => {
  for (const client of [parameters, gateway, lambda, mails]) client.reset();
  subscribe('arn:aws:sns:eu-central-1:111122223333:ChainInsights-test-Pages:1');
  parameters.on(GetParameterCommand, { Name: bootstrapParameter }).resolves({ Parameter: { Value: '28' } });
  gateway.on(GetAccountCommand).resolves({ cloudwatchRoleArn: 'arn:aws:iam::111122223333:role/logs' });
  allowConcurrency(1_000);
});
/** Deploys the topics of a stack, and subscribes an address to its pages unless there is no subscription. */
function subscribe(SubscriptionArn?: string, stackName = 'ChainInsights-test') {
  const [Pages, Notices] = ['Pages0A1B-X1Y2', 'Notices2C3D-X1Y2'].map(
    (id) => `arn:aws:sns:eu-central-1:111122223333:${stackName}-Monitoring${id}`,
  );
  const to = (Endpoint: string) => ({ SubscriptionArn, Protocol: 'email', Endpoint });
  mails.on(ListTopicsCommand).resolves({ Topics: [{ TopicArn: Notices }, { TopicArn: Pages }] });
  mails.on(ListSubscriptionsByTopicCommand, { TopicArn: Notices }).resolves({ Subscriptions: [to('other')] });
  mails
    .on(ListSubscriptionsByTopicCommand, { TopicArn: Pages })
    .resolves({ Subscriptions: SubscriptionArn === undefined ? [] : [to('on-call@example.com')] });
}
const allowConcurrency = (UnreservedConcurrentExecutions: number) =>
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { UnreservedConcurrentExecutions } });

const check = (stage: Stage | undefined) =>
  checkAccount(readConfig('test', { test: stage }), 'ChainInsights-test');
const resultOf = async (name: AccountCheck['check'], stage: Stage | undefined = stages.prod) =>
  (await check(stage)).find((one) => one.check === name);
const failing = (summary: RegExp) => ({ works: false, summary: expect.stringMatching(summary) });
const error = (name: string, message = 'refused') => Object.assign(new Error(message), { name });

test.each(Object.keys(stages))('finds nothing against the stage %s in a prepared account', async (name) => {
  const checks = await check(stages[name]);
  expect(checks.filter(({ works }) => !works)).toEqual([]);
  expect(showAccount(checks)).toMatch(
    /^bootstrap: ok, version 28\nlog role: ok, .*\nconcurrency: ok, .*\nalarm email: ok, on-call@example\.com$/,
  );
});

test('checks the bootstrap that the template requires', () => {
  const { Parameters, Rules } = templateOf().toJSON();
  expect(Parameters.BootstrapVersion.Default).toBe(bootstrapParameter);
  const [{ Assert }] = Rules.CheckBootstrapVersion.Assertions;
  const tooOld = Assert['Fn::Not'][0]['Fn::Contains'][0].map(Number);
  expect(MIN_BOOTSTRAP_VERSION).toBe(Math.max(...tooOld) + 1);
});

test('reports an address that has not confirmed its subscription', async () => {
  subscribe('PendingConfirmation');
  expect(await resultOf('alarm email')).toMatchObject(
    failing(/^on-call@example\.com has not confirmed the subscription: /),
  );
});

test.each([[undefined], ['Deleted']])(
  'reports a deployed stage whose pages nobody gets (%s)',
  async (arn) => {
    subscribe(arn);
    expect(await resultOf('alarm email')).toMatchObject(
      failing(/^nobody is subscribed to the pages: no alarm arrives\. .*docs\/operate\/deploy\.md#alarms/),
    );
  },
);

test('asks for no subscriber of a stage that wants no email', async () => {
  subscribe();
  expect(await resultOf('alarm email', { alarmEmail: 'none' })).toMatchObject({ works: true });
});

test('lets a release pass with failing nodes and without a subscriber, but not without what it needs', async () => {
  subscribe();
  const failing = [{ works: false }];
  const account = await check(stages.prod);
  expect([hasFailed(failing, account, true), hasFailed(failing, account, false)]).toEqual([false, true]);
  expect(hasFailed([], account, false)).toBe(true);
  allowConcurrency(1);
  expect(hasFailed([], await check(stages.prod), true)).toBe(true);
});

test('knows the topic of pages by the ID that the template gives it', () => {
  const ids = Object.keys(templateOf().findResources('AWS::SNS::Topic'));
  expect(ids.filter((id) => id.startsWith('MonitoringPages'))).toHaveLength(1);
});

test.each(['other', 'test-eu'])('passes over the topics of the stack ChainInsights-%s', async (name) => {
  subscribe('PendingConfirmation', `ChainInsights-${name}`);
  expect(await resultOf('alarm email')).toMatchObject({ works: true, summary: 'nobody yet' });
});

test('reports an account without CDK’s bootstrap, and one whose bootstrap is too old', async () => {
  parameters.on(GetParameterCommand).resolves({ Parameter: { Value: '5' } });
  expect(await resultOf('bootstrap')).toMatchObject(failing(/^version 5, 6 needed\. Run npx cdk bootstrap/));
  parameters.on(GetParameterCommand).rejects(new ParameterNotFound({ message: '', $metadata: {} }));
  expect(await resultOf('bootstrap')).toMatchObject(failing(/Run npx cdk bootstrap/));
});

test('reports a missing log role only to a stage that uses an existing one', async () => {
  gateway.on(GetAccountCommand).resolves({});
  expect(await resultOf('log role')).toMatchObject(
    failing(/docs\/operate\/settings\.md#the-log-role-of-the-account/),
  );
  expect(await resultOf('log role', { apiLogRole: 'create' })).toMatchObject({ works: true });
  expect(await resultOf('log role', {})).toMatchObject({ works: true, summary: 'not needed' });
});

test('names a log role that the stage would replace', async () => {
  expect(await resultOf('log role', { apiLogRole: 'create' })).toMatchObject({
    summary: 'replaces arn:aws:iam::111122223333:role/logs',
  });
});

test('accepts the concurrency of a new account, and says what it leaves for requests and backfills', async () => {
  allowConcurrency(10);
  expect(await resultOf('concurrency', {})).toMatchObject({
    works: true,
    summary:
      '10 executions at once: 6 for ingests while they catch up leave 4 for requests, about 40 a second. A backfill takes 5 more; ' +
      'with it and 100 requests a second, 21 are needed. Ask for more under Service Quotas (AWS Lambda, Concurrent executions) before that',
  });
  const small = { chains: { BASE: { enabled: false } }, backfillDaysAtOnce: 3, requestsPerSecond: 15 };
  expect(await resultOf('concurrency', small)).toMatchObject({
    works: true,
    summary: '10 executions at once',
  });
});

test('refuses a concurrency that leaves the API too little while chains catch up', async () => {
  allowConcurrency(8);
  expect(await resultOf('concurrency', {})).toMatchObject(
    failing(/^8 executions at once: 6 for ingests .* leave 2 for requests, .* or ingest fewer chains\.$/),
  );
});

test('checks what it may when AWS denies one request', async () => {
  gateway.on(GetAccountCommand).rejects(error('AccessDeniedException', 'apigateway:GET'));
  const checks = await check(stages.prod);
  expect(checks.filter(({ works }) => !works)).toEqual([
    {
      check: 'log role',
      blocks_release: true,
      works: false,
      summary: expect.stringMatching(/^not checked\. AWS denied the request: apigateway:GET/),
    },
  ]);
});

test('throws an error that AWS did not cause', async () => {
  gateway.on(GetAccountCommand).rejects(new TypeError('a bug'));
  await expect(check(stages.prod)).rejects.toThrow('a bug');
});
