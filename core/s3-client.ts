import { S3Client } from '@aws-sdk/client-s3';

/** By default, the SDK waits without a limit. */
const TIMEOUTS = { connectionTimeout: 5_000, socketTimeout: 60_000 };

/**
 * Creates an S3 client that finds a bucket in any region, with the credentials of the process.
 * @param region in which the search for the bucket begins, by default that of the environment
 */
export const createS3Client = (region?: string): S3Client =>
  new S3Client({
    ...(region !== undefined && { region }),
    maxAttempts: 5,
    followRegionRedirects: true,
    requestHandler: TIMEOUTS,
  });
