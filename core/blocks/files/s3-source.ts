import {
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createS3Client } from '../../s3-client.ts';
import { type EraSource, eraFilesAmong, UnreadableError, unreadableBecause } from './source.ts';

/** Tries of a part whose body ends early. The SDK repeats failed requests, but no bodies. */
const TRIES = 3;

/**
 * Creates the source of a bucket, with the credentials of the process.
 * @param url `s3://bucket/prefix/`
 * @param region in which the search for the bucket begins, by default that of the environment
 */
export function createS3Source(url: string, region?: string): EraSource {
  const { host: Bucket, pathname } = new URL(url);
  const prefix = decodeURIComponent(pathname.slice(1)).replace(/([^/])$/, '$1/');
  const client = createS3Client(region);
  return {
    host: Bucket,
    list: (signal) =>
      readable(Bucket, signal, async () => {
        const pages = paginateListObjectsV2(
          { client },
          { Bucket, Prefix: prefix, Delimiter: '/' },
          endingWith(signal),
        );
        const contents = await Array.fromAsync(pages, ({ Contents = [] }) => Contents);
        return eraFilesAmong(contents.flat().map(({ Key = '' }) => Key.slice(prefix.length)));
      }),
    open: ({ name }, signal) =>
      readable(Bucket, signal, () => openObject(client, { Bucket, Key: prefix + name }, signal)),
  };
}

const endingWith = (signal: AbortSignal | undefined) => (signal ? { abortSignal: signal } : {});

type BucketObject = { readonly Bucket: string; readonly Key: string };

async function openObject(client: S3Client, object: BucketObject, signal: AbortSignal | undefined) {
  const head = await client.send(new HeadObjectCommand(object), endingWith(signal));
  return {
    size: head.ContentLength ?? 0,
    read: (from: number, to: number) =>
      readable(object.Bucket, signal, async () => {
        // An object that is replaced meanwhile has another tag.
        const part = { ...object, Range: `bytes=${from}-${to - 1}`, IfMatch: head.ETag };
        const bytes = await readPart(client, part, signal);
        if (bytes.length === to - from) return bytes;
        throw new Error(`S3 sent ${bytes.length} bytes instead of ${to - from}`);
      }),
  };
}

async function readPart(client: S3Client, part: GetObjectCommandInput, signal: AbortSignal | undefined) {
  for (let attempt = 1; ; attempt++) {
    const { Body } = await client.send(new GetObjectCommand(part), endingWith(signal));
    try {
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    } catch (error) {
      if (attempt === TRIES || signal?.aborted) throw error;
    }
  }
}

/** @throws UnreadableError in place of the SDK's errors, which come after its own retries */
async function readable<T>(bucket: string, signal: AbortSignal | undefined, read: () => Promise<T>) {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw unreadableBecause(bucket, error, signal);
    throw new UnreadableError(`${bucket}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf({ name, message, $metadata: { httpStatusCode: status } }: S3ServiceException): string {
  if (status === 403)
    return (
      'S3 denies access (403). It takes s3:ListBucket and s3:GetObject. ' +
      'A stage has both for the bucket that its setting eraBucket names.'
    );
  if (status === 404) return `S3 does not have it (404, ${name})`;
  if (status === 412) return 'the file changed while it was read';
  return `S3 answered ${status}: ${name}, ${message}`;
}
