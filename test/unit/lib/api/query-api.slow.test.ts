import { Template } from 'aws-cdk-lib/assertions';
import { gatewayProblems } from '#lambda/api/gateway-problems.ts';
import type { Problem } from '#lambda/api/problem.ts';
import { routes } from '#lambda/api/routes.ts';
import type { Stage } from '#lib/config.ts';
import {
  nameOf,
  newApp,
  type Properties,
  propertiesOf,
  stackOf,
  templateOf as stackTemplateOf,
  theOnly,
} from '#test/support/aws/stack.ts';

/* The API without its pages, which pages.test.ts covers. */

const templateOf = (stage: Stage = {}) => stackTemplateOf({ pages: false, ...stage });
const template = templateOf();
const problems = Object.entries<Problem>(gatewayProblems);

/** Returns the API's methods with their paths. */
function methodsOf(given = template) {
  const resources = given.findResources('AWS::ApiGateway::Resource');
  const pathOf = (id: unknown): string => {
    const resource = resources[nameOf(id)];
    return resource ? `${pathOf(resource.Properties.ParentId)}/${resource.Properties.PathPart}` : '';
  };
  return propertiesOf(given, 'AWS::ApiGateway::Method').map((method) => ({
    ...method,
    HttpMethod: method.HttpMethod,
    path: pathOf(method.ResourceId),
  })) as (Properties & { HttpMethod: string; path: string })[];
}

const responses = (given = template) =>
  new Map(
    propertiesOf(given, 'AWS::ApiGateway::GatewayResponse').map((response) => [
      response.ResponseType,
      response,
    ]),
  );

test('has exactly the methods of every route, each with a required key', () => {
  const found = methodsOf();
  expect(found.map(({ HttpMethod, path }) => `${HttpMethod} ${path}`).toSorted()).toEqual(
    routes.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`)).toSorted(),
  );
  for (const method of found) {
    expect(method).toMatchObject({
      ApiKeyRequired: true,
      AuthorizationType: 'NONE',
      Integration: { Type: 'AWS_PROXY' },
    });
  }
});

test.each(routes)('routes $path to $handler', ({ path, handler }) => {
  for (const method of methodsOf().filter((found) => found.path === path)) {
    expect(JSON.stringify(method.Integration.Uri)).toContain(`Api${handler.replaceAll('-', '')}Function`);
  }
});

test('throttles all keys together by the API stage, and each key by the usage plan of its tier', () => {
  const given = templateOf({
    pages: false,
    requestsPerSecond: 50,
    tiers: {
      free: { ratePerSecond: 5, requestsPerMonth: 1_000 },
      gold: { ratePerSecond: 50, requestsPerMonth: 1_000_000 },
    },
  });
  expect(theOnly(given, 'AWS::ApiGateway::Stage').MethodSettings).toEqual([
    expect.objectContaining({
      HttpMethod: '*',
      ResourcePath: '/*',
      ThrottlingRateLimit: 50,
      ThrottlingBurstLimit: 100,
    }),
  ]);
  const stage = expect.objectContaining({ ApiId: expect.anything(), Stage: expect.anything() });
  expect(propertiesOf(given, 'AWS::ApiGateway::UsagePlan')).toEqual([
    expect.objectContaining({
      UsagePlanName: 'Test-free',
      ApiStages: [stage],
      Throttle: { RateLimit: 5, BurstLimit: 10 },
      Quota: { Limit: 1_000, Period: 'MONTH' },
    }),
    expect.objectContaining({
      UsagePlanName: 'Test-gold',
      ApiStages: [stage],
      Throttle: { RateLimit: 50, BurstLimit: 100 },
      Quota: { Limit: 1_000_000, Period: 'MONTH' },
    }),
  ]);
  expect(Object.keys(given.toJSON().Outputs)).toEqual(
    expect.arrayContaining(['UsagePlanIdFree', 'UsagePlanIdGold']),
  );
});

describe('logs', () => {
  const logged = templateOf({ apiLogRole: 'existing', logRetentionDays: 14 });
  const stage = theOnly(logged, 'AWS::ApiGateway::Stage');

  test('are written by each function of the API, and not by API Gateway, which would log refused requests', () => {
    expect(stage.AccessLogSetting).toBeUndefined();
    const logging = (given: typeof logged) =>
      Object.entries(given.findResources('AWS::Lambda::Function'))
        .filter(([, { Properties }]) => Properties.Environment.Variables.ACCESS_LOG)
        .map(([id]) => id.replace(/Function.*/, ''))
        .toSorted();
    expect(logging(logged)).toEqual(['Apigetdetails', 'Apigetfees', 'Apigettoday', 'Apigettransactioncount']);
    expect(logging(templateOf({ apiLogRole: 'existing', pages: {} }))).toContain('Apipages');
    expect(logging(templateOf())).toEqual([]);
  });

  test('set the account’s log role with apiLogRole create, before the API stage that needs it', () => {
    const given = templateOf({ apiLogRole: 'create' });
    const [account] = Object.keys(given.findResources('AWS::ApiGateway::Account'));
    const [stageOfIt] = Object.values(given.findResources('AWS::ApiGateway::Stage'));
    expect(stageOfIt?.DependsOn).toContain(account);
    expect(stageOfIt?.Properties.MethodSettings[0].LoggingLevel).toBe('ERROR');
  });
});

describe('CORS', () => {
  const origin = 'https://example.com';

  test('answers preflight requests of the routes only, without a key', () => {
    const preflights = methodsOf(templateOf({ corsOrigins: [origin] })).filter(
      ({ HttpMethod }) => HttpMethod === 'OPTIONS',
    );
    expect(preflights.map(({ path }) => path).toSorted()).toEqual(routes.map(({ path }) => path).toSorted());
    for (const { ApiKeyRequired, Integration } of preflights) {
      expect(ApiKeyRequired).toBe(false);
      // API Gateway fails to read the request of a mock as JSON where all media types are binary.
      expect(Integration).toMatchObject({ Type: 'MOCK', ContentHandling: 'CONVERT_TO_TEXT' });
      const [{ ResponseParameters }] = Integration.IntegrationResponses;
      expect(ResponseParameters).toMatchObject({
        'method.response.header.Access-Control-Allow-Origin': `'${origin}'`,
        'method.response.header.Access-Control-Allow-Headers': expect.stringContaining('X-API-Key'),
        'method.response.header.Access-Control-Allow-Methods': expect.stringMatching(/^'GET,HEAD(,POST)?'$/),
      });
    }
  });

  // Browsers send `origin` over HTTP/2, and the gateway would find only `Origin`.
  test.each([
    ['an allowed origin', [origin], origin],
    [
      'any origin, when several are allowed and whatever the case of the header,',
      [origin, 'https://b.example'],
      '*',
    ],
  ])('lets pages of %s read gateway errors', (_, corsOrigins, allowed) => {
    const given = responses(templateOf({ corsOrigins }));
    for (const [type] of problems) {
      const { ResponseParameters } = given.get(type) ?? {};
      expect(ResponseParameters).toMatchObject({
        'gatewayresponse.header.Access-Control-Allow-Origin': `'${allowed}'`,
        'gatewayresponse.header.Access-Control-Expose-Headers': expect.stringContaining('Retry-After'),
      });
      expect(JSON.stringify(ResponseParameters)).not.toMatch(/method\.request|Allow-Credentials/);
    }
  });
});

describe('options of a stage', () => {
  const arn = (service: string, resource: string) =>
    `arn:aws:${service}:eu-central-1:111122223333:${resource}`;

  test('require an authorizer for each request, in addition to its key', () => {
    const authorizerFunctionArn = arn('lambda', 'function:allow');
    const given = templateOf({ authorizerFunctionArn, corsOrigins: ['*'] });
    expect(theOnly(given, 'AWS::ApiGateway::Authorizer')).toMatchObject({
      Type: 'REQUEST',
      AuthorizerResultTtlInSeconds: 0,
    });
    for (const { HttpMethod, ApiKeyRequired, AuthorizationType } of methodsOf(given)) {
      const expected = HttpMethod === 'OPTIONS' ? [false, 'NONE'] : [true, 'CUSTOM'];
      expect([ApiKeyRequired, AuthorizationType]).toEqual(expected);
    }
    const permissions = propertiesOf(given, 'AWS::Lambda::Permission').filter(
      ({ FunctionName }) => FunctionName === authorizerFunctionArn,
    );
    expect(permissions).toEqual([
      expect.objectContaining({ Principal: 'apigateway.amazonaws.com', SourceArn: expect.anything() }),
    ]);
  });

  const customDomain = { name: 'api.example.com', certificateArn: arn('acm', 'certificate/1') };

  test('serve the API at the root of a custom domain', () => {
    const given = templateOf({ customDomain });
    expect(theOnly(given, 'AWS::ApiGateway::DomainName')).toMatchObject({
      DomainName: customDomain.name,
      RegionalCertificateArn: customDomain.certificateArn,
      SecurityPolicy: 'TLS_1_2',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    expect(theOnly(given, 'AWS::ApiGateway::BasePathMapping').BasePath).toBeUndefined();
    expect(given.toJSON().Outputs).toHaveProperty('CustomDomainTarget');
  });

  test('close the execute-api address where the API has a domain, with a new deployment, and name the domain instead', () => {
    const [given, without] = [templateOf({ customDomain, probe: true }), templateOf({ probe: true })];
    const isClosed = (one: Template) =>
      theOnly(one, 'AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint ?? false;
    expect([isClosed(given), isClosed(without)]).toEqual([true, false]);
    // API Gateway applies the change only to deployments after it.
    const deploymentOf = (one: Template) => Object.keys(one.findResources('AWS::ApiGateway::Deployment'));
    expect(deploymentOf(given)).not.toEqual(deploymentOf(without));
    expect(given.toJSON().Outputs.Url.Value).toBe('https://api.example.com/');
    const urls = propertiesOf(given, 'AWS::Lambda::Function').flatMap(
      ({ Environment }) => Environment.Variables.API_URL ?? [],
    );
    expect(urls).toEqual(['https://api.example.com/']);
  });

  test('serve the domain beside the execute-api address while callers move, which the probe still calls', () => {
    const app = newApp();
    app.node.setContext('keepExecuteApi', 'true');
    const given = Template.fromStack(stackOf({ customDomain, probe: true }, app));
    const without = templateOf({ probe: true });
    expect(theOnly(given, 'AWS::ApiGateway::RestApi').DisableExecuteApiEndpoint ?? false).toBe(false);
    expect(given.toJSON().Outputs).toHaveProperty('CustomDomainTarget');
    expect(given.toJSON().Outputs.Url).toEqual(without.toJSON().Outputs.Url);
  });

  test('call the probe every 20 minutes, once', () => {
    const schedules = propertiesOf(templateOf({ probe: true }), 'AWS::Scheduler::Schedule');
    expect(schedules.filter(({ Description }) => Description === 'Probes the API')).toEqual([
      expect.objectContaining({
        ScheduleExpression: 'rate(20 minutes)',
        Target: expect.objectContaining({
          RetryPolicy: expect.objectContaining({ MaximumRetryAttempts: 0 }),
        }),
      }),
    ]);
  });

  test('accept TLS 1.2 and newer', () => {
    expect(theOnly(templateOf(), 'AWS::ApiGateway::RestApi')).toMatchObject({
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      EndpointAccessMode: 'BASIC',
    });
  });
});
