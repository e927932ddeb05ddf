import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';

/** Logs that end some day, as the stage has it. */
export function logGroup(
  scope: Construct,
  id: string,
  { logRetentionDays, protect }: Pick<Config, 'logRetentionDays' | 'protect'>,
  logGroupName?: string,
): LogGroup {
  const group = new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention: logRetentionDays,
    // A first deployment that failed leaves none behind, so that the next can be tried.
    removalPolicy: protect ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  Validations.of(group).acknowledge(
    {
      id: 'cdk-validator-cfnguard::cloudwatch_log_group_retention_period_check',
      reason: 'How long logs are kept is for the stage to choose: logRetentionDays.',
    },
    {
      id: 'cdk-validator-cfnguard::cloudwatch_log_group_encrypted_check',
      reason:
        'They are encrypted by CloudWatch Logs. They hold no key and no URL of a node that a key of our own would have to guard.',
    },
  );
  return group;
}
