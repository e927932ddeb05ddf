import { GetObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';

/**
 * Creates an S3 client that finds a bucket in any region, with the credentials of the process.
 * @param region in which the search for the bucket begins, by default that of the environment
 */
export const createS3Client = (region?: string): S3Client =>
  new S3Client({
    ...(region !== undefined && { region }),
    maxAttempts: 5,
    followRegionRedirects: true,
    // By default, the SDK waits without a limit.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  });

/** Reads an object. Returns undefined if it does not exist, or its bucket does not. */
export async function readObject(
  s3: S3Client,
  Bucket: string,
  Key: string,
  abortSignal?: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }), {
      ...(abortSignal && { abortSignal }),
    });
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  } catch (error) {
    if (error instanceof S3ServiceException && /^NoSuch(Key|Bucket)$/.test(error.name)) return undefined;
    throw error;
  }
}
