import { createEraSource } from '#core/blocks/files/choose-source.ts';
import { UnreadableError } from '#core/blocks/files/source.ts';
import { eraName } from '#test/support/generators/files/era-name.ts';
import { type S3Fault, type S3Request, startS3Server } from '#test/support/servers/s3-server.ts';

const BUCKET = 'era-files';
const NAME = 'mainnet-00001-01234567.era1';
const KEY = `ere/${NAME}`;
const BYTES = Buffer.from('0123456789');
const FILE = eraName(NAME);

/** Starts a bucket, and opens it as a source. */
async function openBucket(
  given: {
    readonly keys?: readonly string[];
    readonly objects?: Map<string, Buffer>;
    readonly pageSize?: number;
    readonly fault?: (request: S3Request, index: number) => S3Fault | undefined;
    readonly url?: string;
  } = {},
) {
  const { keys = [KEY], objects = new Map(keys.map((key) => [key, BYTES])), ...rest } = given;
  const { url = `s3://${BUCKET}/ere/`, ...script } = rest;
  const server = await startS3Server({ bucket: BUCKET, objects, ...script });
  Object.assign(process.env, server.environment);
  return { ...server, source: await createEraSource(url) };
}

const failing =
  (times: number, fault: S3Fault, operation: S3Request['operation']) =>
  (): ((request: S3Request) => S3Fault | undefined) => {
    let left = times;
    return (request) => (request.operation === operation && left-- > 0 ? fault : undefined);
  };

test.each([`s3://${BUCKET}/ere/`, `s3://${BUCKET}/ere`])(
  'lists the era files of %s, of all pages',
  async (url) => {
    const names = Array.from({ length: 5 }, (_, era) => `mainnet-0000${era}-01234567.erae`);
    const others = ['ere/readme.txt', 'ere/old/mainnet-00009-01234567.ere', 'mainnet-00008-01234567.ere'];
    const keys = [...names.map((name) => `ere/${name}`), ...others];
    await using bucket = await openBucket({ keys, pageSize: 2, url });
    expect((await bucket.source.list()).map(({ name }) => name)).toEqual(names);
    expect(bucket.requests.map(({ query }) => query['continuation-token'])).toEqual([undefined, '2', '4']);
  },
);

test('reports a missing object and a missing bucket', async () => {
  await using bucket = await openBucket({ keys: [] });
  await expect(bucket.source.open(FILE)).rejects.toThrow('era-files: S3 does not have it (404');
  const other = await createEraSource('s3://other-bucket/');
  await expect(other.list()).rejects.toThrow('other-bucket: S3 does not have it (404, NoSuchBucket)');
});

test.each(['HeadObject', 'GetObject'] as const)(
  'repeats a %s that S3 asks to slow down',
  async (operation) => {
    const fault = failing(2, { status: 503, code: 'SlowDown' }, operation)();
    await using bucket = await openBucket({ fault });
    const file = await bucket.source.open(FILE);
    expect((await file.read(4, 8)).toString()).toBe('4567');
    expect(bucket.requests).toHaveLength(4);
  },
);

test('repeats a part whose body ends early, three times at most', async () => {
  await using twice = await openBucket({ fault: failing(2, { cutAfter: 2 }, 'GetObject')() });
  expect((await (await twice.source.open(FILE)).read(0, 8)).toString()).toBe('01234567');
  await using always = await openBucket({ fault: failing(9, { cutAfter: 2 }, 'GetObject')() });
  await expect((await always.source.open(FILE)).read(0, 8)).rejects.toThrow(UnreadableError);
  expect(always.requests.filter(({ operation }) => operation === 'GetObject')).toHaveLength(3);
});

test('does not mix the parts of an object that is replaced by a shorter one', async () => {
  const objects = new Map([[KEY, BYTES]]);
  await using bucket = await openBucket({ objects });
  const file = await bucket.source.open(FILE);
  objects.set(KEY, BYTES.subarray(0, 6));
  await expect(file.read(0, 4)).rejects.toThrow('era-files: the file changed while it was read');
});

test.each<[string, S3Fault, S3Request['operation']]>([
  ['does not answer', { hang: true }, 'HeadObject'],
  ['does not answer', { hang: true }, 'GetObject'],
  ['stops in the middle of a part', { hangAfter: 2 }, 'GetObject'],
])('ends with its signal when S3 %s', async (_, fault, operation) => {
  await using bucket = await openBucket({ fault: failing(9, fault, operation)() });
  const read = async () => {
    const file = await bucket.source.open(FILE, AbortSignal.timeout(300));
    await file.read(0, 8);
  };
  await expect(read()).rejects.toThrow('era-files: the run ended before it responded');
});
