import { Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Config } from '../config.ts';

/** What the rule sets find in the API and is meant to be so, with the reason. What a stage switches on is not excused. */
export function acknowledgeApi(api: RestApi, config: Config): void {
  const { webAclArn, authorizerFunctionArn, apiLogRole } = config;
  const isMeantToBe = (reason: string, ...ids: string[]) => {
    for (const id of ids) Validations.of(api).acknowledge({ id, reason });
  };
  isMeantToBe(
    'The functions validate requests themselves, so that an answer names every bad field at once.',
    'AwsSolutions-APIG2',
  );
  isMeantToBe(
    'Keys meter and identify who calls. docs/security.md says what they are not, and what to add.',
    'AwsSolutions-COG4',
    ...(authorizerFunctionArn ? [] : ['AwsSolutions-APIG4']),
  );
  isMeantToBe(
    'Each names its method and path of this API as source ARN; the rule cannot read one that is put together.',
    'cdk-validator-cfnguard::lambda_function_public_access_prohibited_check',
  );
  if (!webAclArn) {
    isMeantToBe(
      'A web ACL has a price of its own, and rules that only its owner can choose: webAclArn adds one.',
      'AwsSolutions-APIG3',
    );
  }
  if (apiLogRole === 'none') {
    isMeantToBe(
      'API Gateway logs by a role of the whole account, which this stage leaves alone.',
      'AwsSolutions-APIG1',
      'AwsSolutions-APIG6',
      'cdk-validator-cfnguard::api_gw_v1_execution_logging_enabled_check',
    );
  }
  if (apiLogRole === 'create') {
    isMeantToBe(
      'The role is that of all APIs of the account and region, and this is the policy that AWS made for it.',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    );
  }
}
