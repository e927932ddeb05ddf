import {
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createS3Client } from '../../s3-client.ts';
import {
  type EraSource,
  eraFilesAmong,
  type RandomAccess,
  UnreadableError,
  unreadableBecause,
} from './source.ts';

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

async function openObject(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string },
  signal: AbortSignal | undefined,
): Promise<RandomAccess> {
  const { ContentLength: size = 0, ETag } = await client.send(
    new HeadObjectCommand(object),
    endingWith(signal),
  );
  return {
    size,
    read: (from, to) =>
      readable(object.Bucket, signal, async () => {
        // An object that is replaced meanwhile has another tag.
        const part = { ...object, Range: `bytes=${from}-${to - 1}`, IfMatch: ETag };
        const bytes = await readPart(client, part, signal);
        if (bytes.length === to - from) return bytes;
        throw new Error(`S3 sent ${bytes.length} bytes instead of ${to - from}`);
      }),
    close: async () => {},
  };
}

async function readPart(
  client: S3Client,
  part: GetObjectCommandInput,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
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
async function readable<T>(
  bucket: string,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw unreadableBecause(bucket, error, signal);
    const status = error.$metadata.httpStatusCode;
    throw new UnreadableError(`${bucket}: ${reasonOf(error, status)}`, { cause: error });
  }
}

function reasonOf({ name, message }: S3ServiceException, status: number | undefined): string {
  switch (status) {
    case 403:
      return (
        'S3 denies access (403). It takes s3:ListBucket and s3:GetObject. ' +
        'A stage has both for the bucket that its setting eraBucket names.'
      );
    case 404:
      return `S3 does not have it (404, ${name})`;
    case 412:
      return 'the file changed while it was read';
    default:
      return `S3 answered ${status}: ${name}, ${message}`;
  }
}
