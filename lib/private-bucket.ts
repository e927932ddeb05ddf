import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Config } from './config.ts';
import { stageKey } from './stage-key.ts';

/**
 * Creates a bucket for files that the service writes. They are deleted after a while.
 * @param isVersioned keeps what another object of the same name replaces, for as many days
 */
export function privateBucket(
  scope: Construct,
  id: string,
  config: Pick<Config, 'protect' | 'kmsKeyArn'>,
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
    removalPolicy: config.protect ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  if (encryptionKey) return bucket;
  acknowledge(
    bucket,
    'S3 encrypts them. They contain no API key and no node URL, so they need no key of our own.',
    'cdk-validator-cfnguard::s3_bucket_default_encryption_kms_check',
  );
  return bucket;
}
