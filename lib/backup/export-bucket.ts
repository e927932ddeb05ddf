import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { Config } from '../config.ts';
import { stageKey } from '../stage-key.ts';

/** Days, as long as point-in-time recovery reaches back. */
const KEPT_DAYS = 35;

/** Creates the bucket for exports of the table. Versions keep an export that another of the same day replaces. */
export function exportBucket(scope: Construct, config: Pick<Config, 'protect' | 'kmsKeyArn'>): Bucket {
  const encryptionKey = stageKey(scope, 'Exports', config);
  const bucket = new Bucket(scope, 'Exports', {
    ...(encryptionKey
      ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    versioned: true,
    lifecycleRules: [
      {
        expiration: Duration.days(KEPT_DAYS),
        noncurrentVersionExpiration: Duration.days(KEPT_DAYS),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
    removalPolicy: config.protect ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  acknowledge(
    bucket,
    'Only the export function and operators have access. The figures in it are public, and the manifest has the hash of each file.',
    'AwsSolutions-S1',
    'cdk-validator-cfnguard::s3_bucket_logging_enabled_check',
    'cdk-validator-cfnguard::s3_bucket_object_lock_enabled_check',
  );
  acknowledge(
    bucket,
    'Nothing waits for an object: the alarms ingest-crashed and schedule-failing report a failed export.',
    'cdk-validator-cfnguard::s3_event_notifications_enabled_check',
  );
  if (encryptionKey) return bucket;
  acknowledge(
    bucket,
    'S3 encrypts them. They contain no API key and no node URL, so they need no key of our own.',
    'cdk-validator-cfnguard::s3_bucket_default_encryption_kms_check',
  );
  return bucket;
}
