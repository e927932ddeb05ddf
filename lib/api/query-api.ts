import { type CfnOutput, Duration, Size, Stack } from 'aws-cdk-lib';
import {
  AuthorizationType,
  type CfnMethod,
  type CfnRestApi,
  EndpointType,
  LambdaIntegration,
  type MethodOptions,
  Period,
  RequestAuthorizer,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { corsAllowedHeaders } from '../../lambda/api/cors.ts';
import { queryHandlers, type Route, routes } from '../../lambda/api/routes.ts';
import { acknowledge } from '../acknowledge.ts';
import { type Config, chainList } from '../config.ts';
import { output } from '../output.ts';
import { ServiceFunction } from '../service-function.ts';
import { QUERY_TIMEOUT_MS } from '../stages/stage-schema.ts';
import { addCustomDomain, servesDomainAlone, urlOf } from './custom-domain.ts';
import { addProblemResponses } from './gateway-responses.ts';
import { API_STAGE, callLogging, keepExecutionLogs, methodLogging } from './logs.ts';
import { addPages, pageThrottling } from './pages.ts';
import { addProbe } from './probe.ts';

interface Props {
  readonly table: TableV2;
  /** Bucket with the daily exports, and the days that a stage opens to everyone. */
  readonly exportBucket: string;
  readonly config: Config;
}

/** The REST API: a function for each main route and one for the others, a key on every request except for pages, and problem+json for gateway errors. */
export class QueryApi extends Construct {
  readonly api: RestApi;
  readonly functions: readonly ServiceFunction[];
  /** Absent unless the stage has one. */
  readonly probe: ServiceFunction | undefined;

  constructor(scope: Construct, id: string, { table, exportBucket, config }: Props) {
    super(scope, id);
    this.api = createApi(this, config);
    keepExecutionLogs(this.api, config);
    addProblemResponses(this.api, config.corsOrigins);
    const queries = queryHandlers.map((handler) => {
      const served = routes.filter((route) => route.handler === handler);
      const query = createQuery(this, handler, served, { table, config });
      for (const route of served) addRoute(this.api, route, query, config);
      return query;
    });
    this.functions = config.pages
      ? [...queries, addPages(this, this.api, exportBucket, config.pages, config)]
      : queries;
    addUsagePlans(this, this.api, config.tiers);
    this.probe = config.probe ? addProbe(this, this.api, exportBucket, config) : undefined;
    if (config.customDomain) addCustomDomain(this.api, config.customDomain);
    if (config.webAclArn) {
      const resourceArn = this.api.deploymentStage.stageArn;
      new CfnWebACLAssociation(this, 'WebAcl', { resourceArn, webAclArn: config.webAclArn });
    }
    acknowledgeApi(this.api, config);
  }
}

function createApi(scope: Construct, config: Config): RestApi {
  const api = new RestApi(scope, 'Api', {
    restApiName: Stack.of(scope).stackName,
    // The CloudFront in front of an edge-optimized API rejects a GET with a body.
    endpointTypes: [EndpointType.REGIONAL],
    minCompressionSize: Size.kibibytes(1),
    // The pages' function compresses what API Gateway would send as it is. Only binary responses may be, and their type follows Accept.
    ...(config.pages && { binaryMediaTypes: ['*/*'] }),
    cloudWatchRole: config.apiLogRole === 'create',
    // Otherwise requests would pass the certificate of the domain by.
    disableExecuteApiEndpoint: servesDomainAlone(scope, config),
    deployOptions: {
      stageName: API_STAGE,
      throttlingRateLimit: config.requestsPerSecond,
      throttlingBurstLimit: 2 * config.requestsPerSecond,
      ...methodLogging(config),
      methodOptions: pageThrottling(config),
    },
    defaultMethodOptions: { apiKeyRequired: true, ...authorization(scope, config) },
  });
  const resource = api.node.defaultChild as CfnRestApi;
  // TLS 1.2 and newer; the default accepts 1.0. STRICT would also compare the host of TLS with that of HTTP: AWS advises BASIC first.
  resource.securityPolicy = SecurityPolicy.TLS13_1_2_PQ_2025_09;
  resource.endpointAccessMode = 'BASIC';
  const output = api.node.findChild('Endpoint') as CfnOutput;
  output.overrideLogicalId('Url');
  output.value = urlOf(api, config);
  return api;
}

/** Requires the operator's Lambda authorizer on each method, if the stage names one. */
function authorization(scope: Construct, { authorizerFunctionArn }: Config): MethodOptions {
  if (!authorizerFunctionArn) return { authorizationType: AuthorizationType.NONE };
  const handler = LambdaFunction.fromFunctionAttributes(scope, 'AuthorizerFunction', {
    functionArn: authorizerFunctionArn,
    // True for this account and region only, which config.ts checks. CDK then adds the permission to invoke it.
    sameEnvironment: true,
  });
  const authorizer = new RequestAuthorizer(scope, 'Authorizer', {
    handler,
    // Without caching, because the gateway cannot know which parts of a request the decision depends on.
    identitySources: [],
    resultsCacheTtl: Duration.seconds(0),
  });
  return { authorizationType: AuthorizationType.CUSTOM, authorizer };
}

function createQuery(
  scope: Construct,
  handler: Route['handler'],
  served: readonly Route[],
  { table, config }: Pick<Props, 'table' | 'config'>,
): ServiceFunction {
  const { chains, corsOrigins } = config;
  const startDates = chains.map(({ name, startDate }) => [name, startDate ?? null]);
  return new ServiceFunction(scope, handler, {
    entry: handler,
    description: `Answers ${served.map(({ path }) => path).join(', ')}`,
    table,
    tableActions: ['dynamodb:GetItem', 'dynamodb:Query'],
    variables: {
      offeredChains: chainList(config),
      ...callLogging(config),
      ...(handler === 'get-details' && { startDates: JSON.stringify(Object.fromEntries(startDates)) }),
      ...(corsOrigins.length > 0 && { corsOrigins: corsOrigins.join() }),
    },
    // CPU grows with memory, and cold starts and responses of 4,100 days are bound by CPU.
    memorySize: 1_024,
    timeout: Duration.millis(QUERY_TIMEOUT_MS),
    config,
  });
}

/** Adds the methods of a route. Preflight requests need no key, because browsers send none with them. */
function addRoute(api: RestApi, { path, methods }: Route, query: ServiceFunction, { corsOrigins }: Config) {
  const resource = api.root.resourceForPath(path);
  for (const method of methods)
    resource.addMethod(method, new LambdaIntegration(query.function, { allowTestInvoke: false }));
  if (corsOrigins.length === 0) return;
  const preflight = resource.addCorsPreflight({
    allowOrigins: corsOrigins,
    allowMethods: [...methods],
    allowHeaders: [...corsAllowedHeaders],
    maxAge: Duration.hours(2),
  });
  // A mock reads its request as JSON, which a binary one is not.
  (preflight.node.defaultChild as CfnMethod).addPropertyOverride(
    'Integration.ContentHandling',
    'CONVERT_TO_TEXT',
  );
}

/** Limits each API key by the usage plan of its tier. The command line adds keys to plans, so that no key is part of the template. */
function addUsagePlans(scope: Construct, api: RestApi, tiers: Config['tiers']): void {
  for (const [name, { ratePerSecond, burst, requestsPerMonth }] of Object.entries(tiers)) {
    const plan = api.addUsagePlan(`Tier-${name}`, {
      name: `${Stack.of(scope).stackName}-${name}`,
      description: `Limits of each key of the tier ${name}`,
      apiStages: [{ stage: api.deploymentStage }],
      throttle: { rateLimit: ratePerSecond, burstLimit: burst },
      quota: { limit: requestsPerMonth, period: Period.MONTH },
    });
    const key = `UsagePlanId${name.replace(/^./, (first) => first.toUpperCase())}`;
    output(scope, key, plan.usagePlanId, `Usage plan of the keys of the tier ${name}`);
  }
}

/** Acknowledges findings on the API, except those about an option that the stage uses. */
function acknowledgeApi(api: RestApi, { webAclArn, authorizerFunctionArn, apiLogRole }: Config): void {
  const note = (reason: string, ...ids: readonly string[]) => acknowledge(api, reason, ...ids);
  if (!authorizerFunctionArn)
    note(
      'API keys identify and meter callers. The option authorizerFunctionArn adds a check.',
      'AwsSolutions-APIG4',
    );
  if (!webAclArn)
    note(
      'A web ACL costs extra and needs rules that only its owner can choose. The option webAclArn attaches one.',
      'AwsSolutions-APIG3',
    );
  note(
    'Functions log the calls that reach them. An access log would cost what strangers send, as it has refused requests too.',
    'AwsSolutions-APIG1',
  );
  if (apiLogRole === 'none')
    note(
      'API Gateway logs with a role that the whole account shares, and this stage does not use it.',
      'AwsSolutions-APIG6',
      'cdk-validator-cfnguard::api_gw_v1_execution_logging_enabled_check',
    );
  if (apiLogRole === 'create')
    note(
      'All APIs of the account and region share this role, and AWS manages its policy for this purpose.',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    );
}
