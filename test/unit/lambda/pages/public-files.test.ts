import type { Context } from 'aws-lambda';
import { dayRow, type PublicDay } from '#core/rows/day-row.ts';
import { environment } from '#lambda/environment.ts';
import { publicFileReader } from '#lambda/pages/public-files.ts';
import { filesOfChain, indexFile } from '#lambda/public/write-files.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { createFolder } from '#test/support/folders.ts';
import { storedDays } from '#test/support/generators/rows/stored-days.ts';
import { eventOf } from '#test/support/servers/api-event.ts';
import { startS3Server } from '#test/support/servers/s3-server.ts';

const { files, entry } = filesOfChain(
  'BSC',
  storedDays(2).map((day) => dayRow(day as PublicDay)),
);
const index = indexFile({
  written_at: '2026-11-28T02:30:00.000Z',
  licence: 'CC0-1.0',
  chains: entry ? [entry] : [],
});

async function openBucket(isWritten = true) {
  const all = [...files, index, { name: 'days.json', bytes: Buffer.from('{}') }];
  const objects = new Map(isWritten ? all.map(({ name, bytes }) => [`public/${name}`, bytes]) : []);
  const bucket = await startS3Server({ bucket: 'exports', objects });
  Object.assign(process.env, embeddedCredentials, bucket.environment);
  return { bucket, read: publicFileReader('exports') };
}

test('serves the index, CSV as text, and Parquet as it is', async () => {
  const { bucket, read } = await openBucket();
  await using _ = bucket;
  expect(await read('/public/index.json')).toMatchObject({
    mediaType: 'application/json',
    body: String(index.bytes),
  });
  const csv = await read('/public/BSC.csv');
  expect(csv).toMatchObject({ mediaType: 'text/csv', body: String(files[0]?.bytes) });
  expect(await read('/public/BSC.parquet')).toMatchObject({
    mediaType: 'application/vnd.apache.parquet',
    body: files[1]?.bytes.toString('base64'),
    isBinary: true,
  });
  expect(await read('/public/BSC.csv')).toBe(csv);
  expect(bucket.requests.map(({ key }) => key)).toEqual(
    ['index.json', 'BSC.csv', 'BSC.parquet'].map((name) => `public/${name}`),
  );
});

test('asks the bucket for no file that the index does not name', async () => {
  const { bucket, read } = await openBucket();
  await using _ = bucket;
  for (const path of ['/public/BASE.csv', '/public/days.json', '/public/BSC.2.csv', '/public/'])
    expect(await read(path)).toBeUndefined();
  expect(bucket.requests.map(({ key }) => key)).toEqual(['public/index.json']);
});

test('has no file before the first export', async () => {
  const { bucket, read } = await openBucket(false);
  await using _ = bucket;
  expect([await read('/public/index.json'), await read('/public/BSC.csv')]).toEqual([undefined, undefined]);
});

test('the function of the pages serves a listed file, and 404 for another', async () => {
  const { bucket } = await openBucket();
  await using _ = bucket;
  process.env[environment.siteFolder] = createFolder();
  process.env[environment.publicFilesBucket] = 'exports';
  const { handler } = await import('#lambda/pages.ts');
  const get = (path: string) => handler(eventOf(path, { resource: '/public/{file}' }), {} as Context);
  expect(await get('/public/BSC.parquet')).toMatchObject({
    statusCode: 200,
    body: files[1]?.bytes.toString('base64'),
  });
  expect((await get('/public/BASE.parquet')).statusCode).toBe(404);
});
