import { Names, Stack } from 'aws-cdk-lib';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import { API_STAGE } from './logs.ts';

/** Of X-Ray, for names of services and rules. */
const [MAX_SERVICE_NAME, MAX_RULE_NAME] = [64, 32];

/** Traces the first request of each second and one percent of the others. X-Ray's own rule traces five percent. */
export function addSamplingRule(scope: Construct): void {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-configuring-xray-sampling-rules.html
  const name = `${Stack.of(scope).stackName}/${API_STAGE}`;
  new CfnSamplingRule(scope, 'Sampling', {
    samplingRule: {
      ruleName: Names.uniqueResourceName(scope, { maxLength: MAX_RULE_NAME }),
      // Any below 10,000, that of X-Ray's own rule.
      priority: 1_000,
      reservoirSize: 1,
      fixedRate: 0.01,
      serviceName: name.length > MAX_SERVICE_NAME ? `${name.slice(0, MAX_SERVICE_NAME - 1)}*` : name,
      serviceType: 'AWS::ApiGateway::Stage',
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      resourceArn: '*',
      version: 1,
    },
  });
}
