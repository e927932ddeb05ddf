import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';
import { keyStatements, stageKey } from './stage-key.ts';

/** Creates a dead-letter queue, which keeps messages for 14 days: the longest that SQS allows. */
export function deadLetterQueue(scope: Construct, id: string, config: Pick<Config, 'kmsKeyArn'>): Queue {
  const encryptionMasterKey = stageKey(scope, id, config);
  return new Queue(scope, id, {
    encryption: encryptionMasterKey ? QueueEncryption.KMS : QueueEncryption.SQS_MANAGED,
    ...(encryptionMasterKey && { encryptionMasterKey }),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
}

/** Allows sending to a queue, and nothing else, as CDK would. */
export const sendStatements = ({ queueArn }: IQueue, config: Pick<Config, 'kmsKeyArn'>) => [
  new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] }),
  ...keyStatements(config, 'sqs', 'kms:Decrypt', 'kms:GenerateDataKey'),
];
