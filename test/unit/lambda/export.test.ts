import { environment } from '#lambda/environment.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { fillTable } from '#test/support/generators/filled-table.ts';
import { type S3Fault, type S3Request, startS3Server } from '#test/support/servers/s3-server.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const environmentBefore = { ...process.env };
beforeEach(() => {
  jest.resetModules();
  jest.useFakeTimers({
    now: new Date('2026-01-03T02:30:00Z'),
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout'],
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  process.env = { ...environmentBefore };
});

/** Runs the function with a bucket. */
async function runExport(
  fault?: (request: S3Request) => S3Fault | undefined,
  variables: Record<string, string> = {},
) {
  const objects = new Map<string, Buffer>();
  await using bucket = await startS3Server({ bucket: 'exports', objects, ...(fault && { fault }) });
  Object.assign(process.env, embeddedCredentials, bucket.environment, {
    AWS_ENDPOINT_URL_DYNAMODB: table().endpoint,
    [environment.tableName]: table().name,
    [environment.exportBucket]: 'exports',
    ...variables,
  });
  const info = jest.spyOn(console, 'info').mockImplementation(() => {});
  const { handler } = await import('#lambda/export.ts');
  const result = await handler().catch((error: Error) => error);
  return { result, objects, logged: info.mock.calls.flat(), requests: bucket.requests };
}

const keys = ['BSC.ndjson.gz', 'BASE.ndjson.gz', 'manifest.json'].map((name) => `exports/2026-01-03/${name}`);

test('writes the files of today under the prefix, the manifest last, and logs what it wrote', async () => {
  await fillTable(table());
  const { objects, logged, result } = await runExport();
  expect([...objects.keys()]).toEqual(keys);
  expect(logged).toEqual([{ export: 's3://exports/exports/2026-01-03', ...result }]);
  expect(result).toEqual(JSON.parse(String(objects.get(keys[2] ?? ''))));
});

test('finds a bucket in another region', async () => {
  await fillTable(table());
  const headers = { 'x-amz-bucket-region': 'eu-west-1' };
  const { objects, requests } = await runExport(({ region }) =>
    region === 'eu-west-1' ? undefined : { status: 301, code: 'PermanentRedirect', headers },
  );
  expect([...objects.keys()]).toEqual(keys);
  expect(requests.at(-1)?.region).toBe('eu-west-1');
});

test('fails without a manifest when the bucket refuses a file', async () => {
  await fillTable(table());
  const { result, objects, logged } = await runExport(({ key }) =>
    key.includes('BASE') ? { status: 403, code: 'AccessDenied' } : undefined,
  );
  expect(result).toMatchObject({ name: 'AccessDenied' });
  expect([...objects.keys()]).toEqual(keys.slice(0, 1));
  expect(logged).toEqual([]);
});

test('opens the latest days of each chain to the pages, as /days returns them, where the stage says so', async () => {
  await fillTable(table());
  // Of BSC, the table has 2025-11-18 to 2025-11-22.
  const { objects } = await runExport(undefined, { [environment.publicDays]: '45' });
  const { chains } = JSON.parse(String(objects.get('public/days.json')));
  const bsc = chains.find(({ chain }: { chain: string }) => chain === 'BSC');
  expect(bsc.rows.map(({ date }: { date: string }) => date)).toEqual([
    '2025-11-19',
    '2025-11-20',
    '2025-11-21',
    '2025-11-22',
  ]);
  expect(bsc.rows[0]).toMatchObject({
    fees: expect.stringMatching(/^\d+\.\d{18}$/),
    evidence: expect.any(String),
    first_block: { hash: expect.any(String) },
  });
});
