import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { Config } from '../config.ts';
import { stageKey } from '../stage-key.ts';

/** Creates the bucket for reports of backfills. Like the histories of executions, they expire after 90 days. */
export function reportBucket(scope: Construct, config: Pick<Config, 'protect' | 'kmsKeyArn'>): Bucket {
  const encryptionKey = stageKey(scope, 'Reports', config);
  const bucket = new Bucket(scope, 'Reports', {
    ...(encryptionKey
      ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
      : { encryption: BucketEncryption.S3_MANAGED }),
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    lifecycleRules: [
      { expiration: Duration.days(90), abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    removalPolicy: config.protect ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  acknowledge(
    bucket,
    'Reports list days and reasons of failures, which the logs also contain. They are neither secret nor needed later.',
    'AwsSolutions-S1',
    'cdk-validator-cfnguard::s3_bucket_logging_enabled_check',
    'cdk-validator-cfnguard::s3_bucket_versioning_enabled_check',
    'cdk-validator-cfnguard::s3_bucket_object_lock_enabled_check',
  );
  acknowledge(
    bucket,
    'Nothing waits for an object: the alarm backfill-failed reports failures.',
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
