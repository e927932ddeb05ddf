import { publicDaysReader } from '#lambda/pages/public-days.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { type S3Fault, startS3Server } from '#test/support/servers/s3-server.ts';

async function openBucket(text?: string, fault?: () => S3Fault | undefined) {
  const objects = new Map(text === undefined ? [] : [['public/days.json', Buffer.from(text)]]);
  const bucket = await startS3Server({ bucket: 'exports', objects, ...(fault && { fault }) });
  Object.assign(process.env, embeddedCredentials, bucket.environment);
  return { bucket, objects };
}

test('reads the one object, and reads it again after five minutes', async () => {
  const { bucket, objects } = await openBucket('{"chains":[]}');
  await using _ = bucket;
  let now = 0;
  const read = publicDaysReader('exports', () => now);
  expect(await read()).toMatchObject({ mediaType: 'application/json', body: '{"chains":[]}' });
  objects.set('public/days.json', Buffer.from('{"chains":[1]}'));
  now = 299_000;
  expect((await read()).body).toBe('{"chains":[]}');
  now = 301_000;
  expect((await read()).body).toBe('{"chains":[1]}');
  expect(bucket.requests.map(({ key }) => key)).toEqual(['public/days.json', 'public/days.json']);
});

test('serves no chain before the first export', async () => {
  const { bucket } = await openBucket();
  await using _ = bucket;
  expect(JSON.parse((await publicDaysReader('exports')()).body)).toEqual({ chains: [] });
});

test('fails when the bucket refuses, and asks it again for the next visitor', async () => {
  let isRefused = true;
  const { bucket } = await openBucket('{}', () =>
    isRefused ? { status: 403, code: 'AccessDenied' } : undefined,
  );
  await using _ = bucket;
  const read = publicDaysReader('exports');
  await expect(read()).rejects.toThrow();
  isRefused = false;
  expect((await read()).body).toBe('{}');
});
