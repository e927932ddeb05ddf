import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Config } from './config.ts';
import { stageKey } from './stage-key.ts';

/** Creates a dead-letter queue, which keeps messages for 14 days: the longest that SQS allows. */
export function deadLetterQueue(scope: Construct, id: string, config: Pick<Config, 'kmsKeyArn'>): Queue {
  const encryptionMasterKey = stageKey(scope, id, config);
  const queue = new Queue(scope, id, {
    encryption: encryptionMasterKey ? QueueEncryption.KMS : QueueEncryption.SQS_MANAGED,
    ...(encryptionMasterKey && { encryptionMasterKey }),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  acknowledge(
    queue,
    'This is a dead-letter queue, and an alarm starts when a message arrives.',
    'AwsSolutions-SQS3',
    'cdk-validator-cfnguard::sqs_dlq_check',
  );
  return queue;
}
