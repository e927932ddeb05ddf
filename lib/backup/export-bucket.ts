import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { privateBucket } from '../private-bucket.ts';

/** Creates the bucket for exports of the table. Versions keep an export that another of the same day replaces. */
export const exportBucket = (scope: Construct, config: Pick<Config, 'protect' | 'kmsKeyArn'>): Bucket =>
  privateBucket(scope, 'Exports', config, {
    // As long as point-in-time recovery reaches back.
    keptDays: 35,
    isVersioned: true,
    whyNoAccessLog:
      'Only the export function and operators have access. The figures in it are public, and the manifest has the hash of each file.',
    whyNoNotifications:
      'Nothing waits for an object: the alarms ingest-crashed and schedule-failing report a failed export.',
  });
