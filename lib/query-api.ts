import { CfnOutput, Duration, Size } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, Period, ResponseType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { gatewayProblems } from '../lambda/api/gateway-problems.ts';
import { type Problem, problemBody, problemHeaders } from '../lambda/api/problem.ts';
import { methods, routes } from '../lambda/api/routes.ts';
import type { Config } from './config.ts';
import { ServiceFunction } from './service-function.ts';

interface Props {
  readonly table: TableV2;
  readonly config: Config;
}

/** The REST API: a function for each route, a key on every request, and problem+json for the gateway's own errors. */
export class QueryApi extends Construct {
  constructor(scope: Construct, id: string, { table, config }: Props) {
    super(scope, id);
    const api = new RestApi(this, 'Api', {
      restApiName: 'chain-insights',
      // CloudFront, in front of an edge-optimized API, refuses a GET with a body.
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.kibibytes(1),
      deployOptions: { stageName: 'v1', tracingEnabled: true },
      defaultMethodOptions: { apiKeyRequired: true },
    });
    for (const { path, handler } of routes) {
      const { function: query } = new ServiceFunction(this, handler, {
        entry: handler,
        description: `Answers ${path}`,
        table,
        tableActions: ['dynamodb:GetItem', 'dynamodb:Query'],
        memorySize: 1_024,
        timeout: Duration.seconds(20),
      });
      const resource = api.root.resourceForPath(path);
      for (const method of methods) {
        resource.addMethod(method, new LambdaIntegration(query, { allowTestInvoke: false }));
      }
    }
    for (const [type, problem] of Object.entries(gatewayProblems)) answerWithProblem(api, type, problem);

    const plan = api.addUsagePlan('UsagePlan', {
      description: 'Metering and limits of each key',
      apiStages: [{ stage: api.deploymentStage }],
      throttle: { rateLimit: config.ratePerSecond, burstLimit: config.burst },
      quota: { limit: config.requestsPerMonth, period: Period.MONTH },
    });
    new CfnOutput(this, 'UsagePlanId', {
      value: plan.usagePlanId,
      description: 'The plan that keys are added to',
    });
  }
}

function answerWithProblem(api: RestApi, type: string, problem: Problem): void {
  const headers = Object.entries(problemHeaders(problem));
  api.addGatewayResponse(type, {
    type: ResponseType.of(type),
    statusCode: String(problem.status),
    // Inner single quotes mark a literal value.
    responseHeaders: Object.fromEntries(headers.map(([name, value]) => [name, `'${value}'`])),
    templates: {
      'application/json': JSON.stringify(problemBody(problem, '$context.extendedRequestId')),
    },
  });
}
