import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';

/** Which days a backfill read, and why the others failed. It can be told anew from the executions for as long. */
export function reportBucket(scope: Construct, { protect }: Pick<Config, 'protect'>): Bucket {
  const bucket = new Bucket(scope, 'Reports', {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    lifecycleRules: [
      { expiration: Duration.days(90), abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ],
    removalPolicy: protect ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  const isMeantToBe = (reason: string, ...ids: string[]) => {
    for (const id of ids) Validations.of(bucket).acknowledge({ id, reason });
  };
  isMeantToBe(
    'It holds days and the reasons why they failed, which are in logs too: nothing that is secret, or missed when it is gone.',
    'AwsSolutions-S1',
    'cdk-validator-cfnguard::s3_bucket_logging_enabled_check',
    'cdk-validator-cfnguard::s3_bucket_versioning_enabled_check',
    'cdk-validator-cfnguard::s3_bucket_object_lock_enabled_check',
  );
  isMeantToBe(
    'It is encrypted by S3. It holds no key and no URL of a node that a key of our own would have to guard.',
    'cdk-validator-cfnguard::s3_bucket_default_encryption_kms_check',
  );
  isMeantToBe(
    'Nobody waits for an object: the alarm backfill-failed tells of what went wrong.',
    'cdk-validator-cfnguard::s3_event_notifications_enabled_check',
  );
  return bucket;
}
