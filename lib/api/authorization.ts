import { Duration, Validations } from 'aws-cdk-lib';
import { AuthorizationType, type MethodOptions, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';

/** What each request must pass beside its key: nothing, or a function that is somebody else's. */
export function authorization(scope: Construct, { authorizerFunctionArn }: Config): MethodOptions {
  if (!authorizerFunctionArn) return { authorizationType: AuthorizationType.NONE };
  const handler = LambdaFunction.fromFunctionAttributes(scope, 'AuthorizerFunction', {
    functionArn: authorizerFunctionArn,
    // It must live in this account and region, so that this stack can let the API invoke it.
    sameEnvironment: true,
  });
  // The permission that this makes names the authorizer as source ARN; the rule cannot read one that is put together.
  Validations.of(handler).acknowledge({
    id: 'cdk-validator-cfnguard::lambda_function_public_access_prohibited_check',
    reason: 'Only this API’s authorizer may invoke it.',
  });
  const authorizer = new RequestAuthorizer(scope, 'Authorizer', {
    handler,
    // The gateway cannot know what it decides by, so it is asked every time.
    identitySources: [],
    resultsCacheTtl: Duration.seconds(0),
  });
  return { authorizationType: AuthorizationType.CUSTOM, authorizer };
}
