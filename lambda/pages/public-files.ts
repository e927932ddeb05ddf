import { extname } from 'node:path';
import { createS3Client, readObject } from '../../core/s3-client.ts';
import { jsonText } from '../../core/store/table/decode-item.ts';
import { cacheBriefly, memoize } from '../caches.ts';
import { INDEX, indexSchema } from '../public/public-index.ts';
import { PUBLIC_FOLDER } from './paths.ts';
import { binaryFile, type SiteFile, siteFile } from './site.ts';

/** The objects change once a day. */
const KEPT_MS = 300_000;

/** Returns a function that reads a file with all final days by its path, or undefined if the index does not name it. */
export function publicFileReader(bucket: string): (path: string) => Promise<SiteFile | undefined> {
  const s3 = createS3Client();
  const readerOf = memoize((name: string) => {
    const read = async () => {
      const bytes = await readObject(s3, bucket, PUBLIC_FOLDER + name);
      return bytes && publicFile(name, bytes);
    };
    return cacheBriefly(read, Date.now, KEPT_MS);
  });
  return async (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const index = await readerOf(INDEX)();
    const { data } = jsonText(indexSchema).safeParse(index?.body);
    // Others would fill the memory, and cost a request to S3.
    const isListed = data?.chains.some(({ files }) => files.some((file) => file.name === name));
    return name === INDEX ? index : isListed ? readerOf(name)() : undefined;
  };
}

/** Returns the file as the pages serve it. */
export function publicFile(name: string, bytes: Buffer): SiteFile {
  const type = extname(name);
  if (type === '.parquet') return binaryFile('application/vnd.apache.parquet', bytes);
  return siteFile(type === '.csv' ? 'text/csv' : 'application/json', bytes.toString());
}
