import { CfnOutput, Duration, Size, Stack } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, Period, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { methods, routes } from '../../lambda/api/routes.ts';
import type { Config } from '../config.ts';
import { ServiceFunction } from '../service-function.ts';
import { acknowledgeApi } from './acknowledgements.ts';
import { authorization } from './authorization.ts';
import { addPreflight } from './cors.ts';
import { addCustomDomain } from './custom-domain.ts';
import { answerWithProblems } from './gateway-responses.ts';
import { API_STAGE, keepExecutionLogs, logOptions } from './logs.ts';
import { addPages, pagesThrottling } from './pages.ts';

interface Props {
  readonly table: TableV2;
  readonly config: Config;
}

/** The REST API: a function for each route, a key on every request but for pages, and problem+json for the gateway's own errors. */
export class QueryApi extends Construct {
  readonly api: RestApi;
  readonly functions: readonly ServiceFunction[];

  constructor(scope: Construct, id: string, { table, config }: Props) {
    super(scope, id);
    this.api = new RestApi(this, 'Api', {
      restApiName: Stack.of(this).stackName,
      // CloudFront, in front of an edge-optimized API, refuses a GET with a body.
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.kibibytes(1),
      cloudWatchRole: config.apiLogRole === 'create',
      deployOptions: {
        stageName: API_STAGE,
        tracingEnabled: true,
        throttlingRateLimit: config.throttle.ratePerSecond,
        throttlingBurstLimit: config.throttle.burst,
        ...logOptions(this, config),
        ...(config.pages && { methodOptions: pagesThrottling(config) }),
      },
      defaultMethodOptions: { apiKeyRequired: true, ...authorization(this, config) },
    });
    (this.api.node.findChild('Endpoint') as CfnOutput).overrideLogicalId('Url');
    keepExecutionLogs(this.api, config);
    answerWithProblems(this.api, config.corsOrigins);

    const queries = routes.map(({ path, handler }) => {
      const query = new ServiceFunction(this, handler, {
        entry: handler,
        description: `Answers ${path}`,
        table,
        tableActions: ['dynamodb:GetItem', 'dynamodb:Query'],
        variables: config.corsOrigins.length > 0 ? { corsOrigins: config.corsOrigins.join(',') } : {},
        // More memory is more CPU: the start, and a whole history of 4,100 days, are a matter of computing.
        memorySize: 1_024,
        // The table is given up after three tries of 3 seconds; API Gateway itself gives up after 29.
        timeout: Duration.seconds(20),
        config,
      });
      const resource = this.api.root.resourceForPath(path);
      for (const method of methods) {
        resource.addMethod(method, new LambdaIntegration(query.function, { allowTestInvoke: false }));
      }
      addPreflight(resource, config.corsOrigins);
      return query;
    });
    this.functions = config.pages ? [...queries, addPages(this, this.api, config)] : queries;

    for (const [name, tier] of Object.entries(config.tiers)) this.addTier(name, tier);
    if (config.customDomain) addCustomDomain(this.api, config.customDomain);
    if (config.webAclArn) {
      const resourceArn = this.api.deploymentStage.stageArn;
      new CfnWebACLAssociation(this, 'WebAcl', { resourceArn, webAclArn: config.webAclArn });
    }
    acknowledgeApi(this.api, config);
  }

  /** Keys are put into plans by hand, one by one, so that none is ever in the template. */
  private addTier(name: string, { ratePerSecond, burst, requestsPerMonth }: Config['tiers'][string]): void {
    const plan = this.api.addUsagePlan(`Tier-${name}`, {
      name: `${Stack.of(this).stackName}-${name}`,
      description: `Limits of each key of the tier ${name}`,
      apiStages: [{ stage: this.api.deploymentStage }],
      throttle: { rateLimit: ratePerSecond, burstLimit: burst },
      quota: { limit: requestsPerMonth, period: Period.MONTH },
    });
    new CfnOutput(this, `UsagePlanId-${name}`, {
      key: `UsagePlanId${name.replace(/^./, (first) => first.toUpperCase())}`,
      value: plan.usagePlanId,
      description: `The usage plan that keys of the tier ${name} are put into`,
    });
  }
}
