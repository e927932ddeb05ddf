import { createS3Client, readObject } from '../../core/s3-client.ts';
import { cacheBriefly } from '../caches.ts';
import { PUBLIC_DAYS_OBJECT } from './paths.ts';
import { type SiteFile, siteFile } from './site.ts';

/** The object changes once a day. */
const KEPT_MS = 300_000;

/** A page that asks for the days before there are any gets no error. */
const NO_DAYS = siteFile('application/json', '{"chains":[]}');

/** Returns a function that reads the open days, at most every five minutes. @throws Error when the bucket cannot be read */
export function publicDaysReader(bucket: string, now = Date.now): () => Promise<SiteFile> {
  const s3 = createS3Client();
  const read = async () => {
    const bytes = await readObject(s3, bucket, PUBLIC_DAYS_OBJECT);
    return bytes ? siteFile('application/json', bytes.toString()) : NO_DAYS;
  };
  return cacheBriefly(read, now, KEPT_MS);
}
