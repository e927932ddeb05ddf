import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Config } from './config.ts';

/* The customer-managed key of a stage, and what it encrypts besides the table. docs/operate/settings.md lists what its policy must allow. */

type KeyOf = Pick<Config, 'kmsKeyArn'>;

/** Returns the stage's key for a resource, or undefined when AWS owns the keys. @param id of the resource */
export const stageKey = (scope: Construct, id: string, { kmsKeyArn }: KeyOf): IKey | undefined =>
  kmsKeyArn === undefined ? undefined : Key.fromKeyArn(scope, `${id}Key`, kmsKeyArn);

/** Allows the use of the stage's key, if it has one, through one service alone. */
export const keyStatements = (
  { kmsKeyArn }: KeyOf,
  service: 'dynamodb' | 's3' | 'sns' | 'sqs',
  ...actions: readonly `kms:${string}`[]
): PolicyStatement[] =>
  kmsKeyArn === undefined
    ? []
    : [
        new PolicyStatement({
          actions: [...actions],
          resources: [kmsKeyArn],
          conditions: { StringEquals: { 'kms:ViaService': `${service}.${Aws.REGION}.amazonaws.com` } },
        }),
      ];

export function logGroup(
  scope: Construct,
  id: string,
  config: Pick<Config, 'logRetentionDays' | 'protect'> & KeyOf,
  logGroupName?: string,
): LogGroup {
  const retention: RetentionDays = config.logRetentionDays;
  const encryptionKey = stageKey(scope, id, config);
  const group = new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention,
    ...(encryptionKey && { encryptionKey }),
    removalPolicy: keptIfProtected(config),
  });
  if (!encryptionKey)
    acknowledge(
      group,
      'CloudWatch Logs encrypts them. They contain no API key and no node URL, so they need no key of our own.',
      'cdk-validator-cfnguard::cloudwatch_log_group_encrypted_check',
    );
  return group;
}

/** Not RETAIN, which would keep the resource of a failed first deployment and so block the next one. */
const keptIfProtected = ({ protect }: Pick<Config, 'protect'>): RemovalPolicy =>
  protect ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** Creates a bucket whose files are deleted after a while. @param isVersioned keeps what another object replaces, for as many days */
export function privateBucket(
  scope: Construct,
  id: string,
  config: Pick<Config, 'protect'> & KeyOf,
  { keptDays, isVersioned = false }: { readonly keptDays: number; readonly isVersioned?: boolean },
): Bucket {
  const expiration = Duration.days(keptDays);
  const encryptionKey = stageKey(scope, id, config);
  const bucket = new Bucket(scope, id, {
    ...(encryptionKey
      ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    ...(isVersioned && { versioned: true }),
    lifecycleRules: [
      {
        expiration,
        ...(isVersioned && { noncurrentVersionExpiration: expiration }),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
    removalPolicy: keptIfProtected(config),
  });
  if (!encryptionKey)
    acknowledge(
      bucket,
      'S3 encrypts them. They contain no API key and no node URL, so they need no key of our own.',
      'cdk-validator-cfnguard::s3_bucket_default_encryption_kms_check',
    );
  return bucket;
}

/** Creates a dead-letter queue, which keeps messages for 14 days: the longest that SQS allows. */
export function deadLetterQueue(scope: Construct, id: string, config: KeyOf): Queue {
  const encryptionMasterKey = stageKey(scope, id, config);
  return new Queue(scope, id, {
    encryption: encryptionMasterKey ? QueueEncryption.KMS : QueueEncryption.SQS_MANAGED,
    ...(encryptionMasterKey && { encryptionMasterKey }),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
}

/** Allows sending to a queue, and nothing else, as CDK would. */
export const sendStatements = ({ queueArn }: IQueue, config: KeyOf) => [
  new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] }),
  ...keyStatements(config, 'sqs', 'kms:Decrypt', 'kms:GenerateDataKey'),
];
