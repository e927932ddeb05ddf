import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Config } from './config.ts';
import { stageKey } from './stage-key.ts';

/** Creates a log group with the stage's retention. */
export function logGroup(
  scope: Construct,
  id: string,
  config: Pick<Config, 'logRetentionDays' | 'protect' | 'kmsKeyArn'>,
  logGroupName?: string,
): LogGroup {
  const { logRetentionDays, protect } = config;
  const retention: RetentionDays = logRetentionDays;
  const encryptionKey = stageKey(scope, id, config);
  const group = new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention,
    ...(encryptionKey && { encryptionKey }),
    // Not RETAIN, which would keep the group of a failed first deployment and so block the next one.
    removalPolicy: protect ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  if (encryptionKey) return group;
  acknowledge(
    group,
    'CloudWatch Logs encrypts them. They contain no API key and no node URL, so they need no key of our own.',
    'cdk-validator-cfnguard::cloudwatch_log_group_encrypted_check',
  );
  return group;
}
