import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/** Creates a dead-letter queue, which keeps messages for 14 days: the longest that SQS allows. */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
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
