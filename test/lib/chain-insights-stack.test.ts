import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { gatewayProblems } from '../../lambda/api/gateway-problems.ts';
import { methods, routes } from '../../lambda/api/routes.ts';
import { chainNames } from '../../lambda/chains/chains.ts';
import { ChainInsightsStack } from '../../lib/chain-insights-stack.ts';
import { readConfig } from '../../lib/config.ts';

/** The template, without bundling the functions. */
function templateOf(given: object = {}): Template {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  return Template.fromStack(new ChainInsightsStack(app, 'Test', readConfig(given)));
}

const template = templateOf();
const propertiesOf = (type: string) =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);

test('the table is keyed by chain and date, can be restored, and outlives the stack', () => {
  template.hasResource('AWS::DynamoDB::GlobalTable', {
    DeletionPolicy: 'Retain',
    Properties: {
      KeySchema: [
        { AttributeName: 'chain', KeyType: 'HASH' },
        { AttributeName: 'date', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      Replicas: [
        Match.objectLike({
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          DeletionProtectionEnabled: true,
        }),
      ],
    },
  });
});

test('every method of every route needs a key, and there are no others', () => {
  const found = propertiesOf('AWS::ApiGateway::Method');
  expect(found).toHaveLength(routes.length * methods.length);
  for (const method of found)
    expect(method).toMatchObject({ ApiKeyRequired: true, Integration: { Type: 'AWS_PROXY' } });
  expect(new Set(found.map(({ HttpMethod }) => HttpMethod))).toEqual(new Set(methods));
});

test.each(routes.map(({ path }) => path))('%s is a path of the API', (path) => {
  for (const part of path.split('/').filter(Boolean))
    template.hasResourceProperties('AWS::ApiGateway::Resource', { PathPart: part });
});

test('keys are metered and limited by a usage plan of the stage', () => {
  template.hasResourceProperties('AWS::ApiGateway::UsagePlan', {
    ApiStages: [{ ApiId: Match.anyValue(), Stage: Match.anyValue() }],
    Throttle: { RateLimit: 10, BurstLimit: 20 },
    Quota: { Limit: 100_000, Period: 'MONTH' },
  });
});

test('no key is in the template', () => {
  template.resourceCountIs('AWS::ApiGateway::ApiKey', 0);
});

test.each(Object.entries(gatewayProblems))(
  "the gateway's own %s is answered as a problem",
  (type, problem) => {
    const [response] = propertiesOf('AWS::ApiGateway::GatewayResponse').filter(
      ({ ResponseType }) => ResponseType === type,
    );
    expect(response).toMatchObject({
      StatusCode: String(problem.status),
      ResponseParameters: { 'gatewayresponse.header.Content-Type': "'application/problem+json'" },
    });
    expect(JSON.parse(response.ResponseTemplates['application/json'])).toEqual({
      title: expect.any(String),
      status: problem.status,
      detail: problem.detail,
      request_id: '$context.extendedRequestId',
    });
  },
);

test.each(['THROTTLED', 'QUOTA_EXCEEDED'])('%s says when to come back', (type) => {
  template.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
    ResponseType: type,
    ResponseParameters: Match.objectLike({
      'gatewayresponse.header.Retry-After': Match.stringLikeRegexp("^'\\d+'$"),
    }),
  });
});

test('the API is regional, because CloudFront refuses a GET with a body, and compresses', () => {
  template.hasResourceProperties('AWS::ApiGateway::RestApi', {
    EndpointConfiguration: { Types: ['REGIONAL'] },
    MinimumCompressionSize: 1024,
  });
});

test('there are three functions, on the runtime of the tests, with JSON logs that end', () => {
  const functions = propertiesOf('AWS::Lambda::Function');
  expect(functions).toHaveLength(3);
  const runtime = `nodejs${process.versions.node.split('.')[0]}.x`;
  for (const found of functions) {
    expect(found).toMatchObject({
      Runtime: runtime,
      Architectures: ['arm64'],
      LoggingConfig: { LogFormat: 'JSON' },
      TracingConfig: { Mode: 'Active' },
      Environment: { Variables: { TABLE_NAME: expect.anything() } },
    });
  }
  template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
});

test('the functions may do with the table what they need and no more', () => {
  const actions = propertiesOf('AWS::IAM::Policy')
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Action }) => [Action].flat().some((action: string) => action.startsWith('dynamodb:')));
  expect(actions.map(({ Action }) => Action)).toEqual([
    ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    ['dynamodb:GetItem', 'dynamodb:Query'],
    ['dynamodb:GetItem', 'dynamodb:Query'],
  ]);
  for (const { Resource } of actions) expect(JSON.stringify(Resource)).not.toContain('*');
});

const scheduled = (found: Template) =>
  Object.values(found.findResources('AWS::Scheduler::Schedule')).map(({ Properties }) => ({
    every: Properties.ScheduleExpression,
    ...JSON.parse(Properties.Target.Input),
  }));

test('each chain has a schedule of its own', () => {
  expect(scheduled(template)).toEqual(
    chainNames.map((chain) => ({ every: 'rate(5 minutes)', chain, start_date: '2026-11-01' })),
  );
});

test('the configuration decides which chains are ingested, since when and how often', () => {
  const given = templateOf({ chains: ['BSC'], startDate: '2026-10-01', ingestEveryMinutes: 1 });
  expect(scheduled(given)).toEqual([{ every: 'rate(1 minute)', chain: 'BSC', start_date: '2026-10-01' }]);
});

test('a chain whose nodes lack the finalized tag is ingested with the confirmations of the configuration', () => {
  const given = templateOf({ chains: ['BSC', 'POLYGON'], confirmations: { POLYGON: 256 } });
  expect(scheduled(given)).toEqual([
    { every: 'rate(5 minutes)', chain: 'BSC', start_date: '2026-11-01' },
    { every: 'rate(5 minutes)', chain: 'POLYGON', start_date: '2026-11-01', confirmations: 256 },
  ]);
});

test('a run that failed is not repeated before the next one on schedule', () => {
  template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', { MaximumRetryAttempts: 0 });
  template.allResourcesProperties('AWS::Scheduler::Schedule', {
    Target: Match.objectLike({ RetryPolicy: Match.objectLike({ MaximumRetryAttempts: 0 }) }),
  });
});
