import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import { createS3Client } from '../../core/s3-client.ts';
import { PUBLIC_DAYS_OBJECT } from './paths.ts';
import { type SiteFile, siteFile } from './site.ts';

/** In milliseconds. The object changes once a day. */
const KEPT = 300_000;

/**
 * Returns a function that reads the open days. They are read again after five minutes; what was read before is served meanwhile.
 * It returns undefined before the first daily export.
 * @throws Error when the bucket cannot be read
 */
export function publicDaysReader(bucket: string, now = Date.now): () => Promise<SiteFile | undefined> {
  const s3 = createS3Client();
  let kept: { readonly file: Promise<SiteFile | undefined>; readonly until: number } | undefined;
  const read = async () => {
    try {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: PUBLIC_DAYS_OBJECT }));
      return siteFile('application/json', (await Body?.transformToString()) ?? '');
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      kept = undefined;
      throw error;
    }
  };
  return () => {
    if (!kept || kept.until < now()) kept = { file: read(), until: now() + KEPT };
    return kept.file;
  };
}
