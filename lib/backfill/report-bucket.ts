import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { privateBucket } from '../private-bucket.ts';

/** Creates the bucket for reports of backfills, which expire like the histories of executions. */
export const reportBucket = (scope: Construct, config: Pick<Config, 'protect' | 'kmsKeyArn'>): Bucket =>
  privateBucket(scope, 'Reports', config, {
    keptDays: 90,
    whyNoAccessLog:
      'Reports list days and reasons of failures, which the logs also contain. They are neither secret nor needed later.',
    whyNoNotifications: 'Nothing waits for an object: the alarm backfill-failed reports failures.',
  });
