import { GetObjectCommand, HeadObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { type RandomAccess, UnreadableError } from './random-access.ts';
import { type EraSource, eraFilesAmong } from './source.ts';

/** Opens a bucket. @param url `s3://bucket/prefix/` */
export function openS3Source(url: string): EraSource {
  const { host: Bucket, pathname } = new URL(url);
  const prefix = pathname.slice(1);
  const client = new S3Client({ maxAttempts: 5, followRegionRedirects: true });
  return {
    host: Bucket,
    list: () =>
      readable(Bucket, async () => {
        const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: prefix });
        const contents = await Array.fromAsync(pages, ({ Contents = [] }) => Contents);
        return eraFilesAmong(contents.flat().map(({ Key = '' }) => Key.slice(prefix.length)));
      }),
    open: ({ name }) => readable(Bucket, () => openObject(client, Bucket, prefix + name)),
  };
}

async function openObject(client: S3Client, Bucket: string, Key: string): Promise<RandomAccess> {
  const { ContentLength: size = 0 } = await client.send(new HeadObjectCommand({ Bucket, Key }));
  return {
    size,
    read: (from, to) =>
      readable(Bucket, async () => {
        const Range = `bytes=${from}-${to - 1}`;
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      }),
    close: async () => {},
  };
}

/** @throws UnreadableError in place of the SDK's errors, which come after its own retries */
async function readable<T>(bucket: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UnreadableError(
      `${bucket}: ${error instanceof Error ? `${error.name}, ${error.message}` : error}`,
    );
  }
}
