import { Duration } from 'aws-cdk-lib';
import { AuthorizationType, type MethodOptions, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';

/** Requires the operator's Lambda authorizer on each method, if the stage names one. */
export function authorization(scope: Construct, { authorizerFunctionArn }: Config): MethodOptions {
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
