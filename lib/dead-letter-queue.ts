import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** A queue in which nothing should ever be: what is, waits for a person as long as SQS keeps it. */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  const reason = 'It is a dead-letter queue itself, and an alarm is raised as soon as it is not empty.';
  for (const id of ['AwsSolutions-SQS3', 'cdk-validator-cfnguard::sqs_dlq_check']) {
    Validations.of(queue).acknowledge({ id, reason });
  }
  return queue;
}
