import { createS3Client, readObject } from '../../core/s3-client.ts';
import { PUBLIC_DAYS_OBJECT } from './paths.ts';
import { type SiteFile, siteFile } from './site.ts';

/** In milliseconds. The object changes once a day. */
const KEPT = 300_000;

/** A page that asks for the days before there are any gets no error. */
const NO_DAYS = siteFile('application/json', '{"chains":[]}');

/**
 * Returns a function that reads the open days. They are read again after five minutes; what was read before is served meanwhile.
 * Before the first daily export, the answer has no chains.
 * @throws Error when the bucket cannot be read
 */
export function publicDaysReader(bucket: string, now = Date.now): () => Promise<SiteFile> {
  const s3 = createS3Client();
  let kept: { readonly file: Promise<SiteFile>; readonly until: number } | undefined;
  const read = async () => {
    try {
      const bytes = await readObject(s3, bucket, PUBLIC_DAYS_OBJECT);
      return bytes ? siteFile('application/json', bytes.toString()) : NO_DAYS;
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };
  return () => {
    if (!kept || kept.until < now()) kept = { file: read(), until: now() + KEPT };
    return kept.file;
  };
}
