import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { acknowledge } from '../acknowledge.ts';
import type { Config } from '../config.ts';

/** Acknowledges findings on the API, except those about an option that the stage uses. */
export function acknowledgeApi(api: RestApi, config: Config): void {
  const { webAclArn, authorizerFunctionArn, apiLogRole } = config;
  const note = (reason: string, ...ids: readonly string[]) => acknowledge(api, reason, ...ids);
  if (!authorizerFunctionArn) {
    note(
      'API keys identify and meter callers. The option authorizerFunctionArn adds a check.',
      'AwsSolutions-APIG4',
    );
  }
  if (!webAclArn) {
    note(
      'A web ACL costs extra and needs rules that only its owner can choose. The option webAclArn attaches one.',
      'AwsSolutions-APIG3',
    );
  }
  if (apiLogRole === 'none') {
    note(
      'API Gateway logs with a role that the whole account shares, and this stage does not use it.',
      'AwsSolutions-APIG1',
      'AwsSolutions-APIG6',
      'cdk-validator-cfnguard::api_gw_v1_execution_logging_enabled_check',
    );
  }
  if (apiLogRole === 'create') {
    note(
      'All APIs of the account and region share this role, and AWS manages its policy for this purpose.',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    );
  }
}
