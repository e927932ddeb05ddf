import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Invoked, invokeBundle } from '#bench/cold-start/bundle.ts';
import { chainNames } from '#core/chains/chains.ts';
import { queryHandlers, type SeriesRoute, seriesRoutes } from '#lambda/api/routes.ts';
import { environment } from '#lambda/environment.ts';
import { bundleEntry, type Entry, entries } from '#lib/bundle.ts';
import { stages } from '#lib/stages/stages.ts';
import { templateOf } from '#test/support/aws/stack.ts';
import { createFolder } from '#test/support/folders.ts';
import { runNode } from '#test/support/processes/run-node.ts';
import { eventOf } from '#test/support/servers/api-event.ts';
import { parameter, startAwsEndpoint } from '#test/support/servers/aws-endpoint.ts';
import { startS3Server } from '#test/support/servers/s3-server.ts';

const folder = createFolder();
const pathOf = (entry: Entry) => join(folder, entry, 'index.js');

beforeAll(() => {
  for (const entry of entries) if (entry !== 'pages') bundleEntry(entry, join(folder, entry));
  runNode(['bin/bundle.ts', 'pages', join(folder, 'pages')]);
});

/** Returns the Node of Lambda's runtime, or that of the tests where npm has installed none for this platform. */
function runtimeNode(): string {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return process.execPath;
  }
}

/** Lists the functions of a stage with their variables. What only a deployment knows is text here. */
const functionsOf = (stage: string) =>
  Object.entries(templateOf(stages[stage]).findResources('AWS::Lambda::Function')).map(
    ([id, { Properties }]) => ({
      entry: entries.find((entry) => id.toLowerCase().includes(`${entry.replaceAll('-', '')}function`)) ?? id,
      variables: Object.fromEntries(
        Object.entries(Properties.Environment.Variables).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : 'arn:of:a:resource',
        ]),
      ),
    }),
  );

test('each function of the stages starts from its bundle alone', () => {
  const all = Object.keys(stages).flatMap(functionsOf);
  expect(new Set(all.map(({ entry }) => entry))).toEqual(new Set(entries));
  // Once with the same variables.
  const different = new Map(all.map((one) => [`${one.entry} ${Object.keys(one.variables)}`, one]));
  for (const { entry, variables } of different.values()) {
    const { stdout, stderr } = spawnSync(runtimeNode(), ['-p', 'typeof require("./index.js").handler'], {
      cwd: join(folder, entry),
      env: { AWS_REGION: 'eu-central-1', ...variables },
      encoding: 'utf8',
    });
    expect([entry, stdout.trim() || stderr]).toEqual([entry, 'function']);
  }
});

const role = { AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'nothing', AWS_SESSION_TOKEN: 'none' };

/** Invokes a function's bundle without this machine's environment and modules. */
const invoke = (entry: Entry, event: object | undefined, given: NodeJS.ProcessEnv): Promise<Invoked> =>
  invokeBundle(pathOf(entry), event ?? {}, {
    AWS_REGION: 'eu-central-1',
    HOME: folder,
    [environment.tableName]: 'metrics',
    [environment.metricsNamespace]: 'Test',
    [environment.stackId]: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Test/1',
    ...given,
  });

const urlOf = ({ path }: SeriesRoute) =>
  `https://api.example${path}?chain=BSC&start_date=2026-11-14&end_date=2026-11-20`;
const startDates = { [environment.startDates]: '{"BASE":"2026-11-01"}' };

test.each(seriesRoutes)('$handler responds to $path from its bundle alone', async (route) => {
  await using service = await startAwsEndpoint(() => ({ result: {} }));
  const given = { ...role, ...startDates, AWS_ENDPOINT_URL: service.url };
  const { value: response, stderr } = await invoke(route.handler, eventOf(urlOf(route)), given);
  expect(response).toMatchObject({ statusCode: 200, body: '[]' });
  expect(stderr).toBe('');
  expect(service.requests).toContainEqual(
    expect.objectContaining({ input: expect.objectContaining({ TableName: 'metrics' }) }),
  );
});

test('the ingest reads node URLs, and calls the nodes or reads a bucket of era files, from its bundle alone', async () => {
  // The node at this URL does not support TLS.
  await using service = await startAwsEndpoint(() =>
    parameter('SecureString', service.url.replace('http', 'https')),
  );
  const settings = { chain: 'BSC', startDate: '2026-11-01', endpointsParameter: '/bsc' };
  const event = { job: 'ingest day', ...settings, date: '2026-11-01' };
  const events = [event, { ...event, url: 's3://era-files/' }];
  const given = { ...role, AWS_ENDPOINT_URL: service.url };
  const reports = await Promise.all(events.map((one) => invoke('ingest', one, given)));
  const { host } = new URL(service.url);
  const failure = { outcome: 'failed', reason: expect.stringContaining(host) };
  expect(reports.map(({ value }) => value)).toEqual(events.map(() => expect.objectContaining(failure)));
});

test('the export queries the table and writes to a bucket from its bundle alone', async () => {
  const objects = new Map<string, Buffer>();
  await using service = await startAwsEndpoint(() => ({ result: { Items: [] } }));
  await using bucket = await startS3Server({ bucket: 'exports', objects });
  const { value: response } = await invoke('export', undefined, {
    ...role,
    AWS_ENDPOINT_URL: service.url,
    ...bucket.environment,
    [environment.exportBucket]: 'exports',
    [environment.stackName]: 'ChainInsights-dev',
    [environment.noticeTopic]: 'arn:aws:sns:eu-central-1:111122223333:Notices',
  });
  expect(response).toMatchObject({ format: 1, chains: [] });
  expect([...objects.keys()]).toEqual([expect.stringMatching(/^exports\/[\d-]{10}\/manifest\.json$/)]);
});

test.each([
  ['get-transaction-count', 258],
  ['get-fees', 258],
  ['get-details', 273],
] as const)('the bundle of %s is smaller than %i KB and 350 bytes a chain', (name, kilobytes) => {
  expect(statSync(pathOf(name)).size).toBeLessThan(kilobytes * 1_000 + chainNames.length * 350);
});

test('only the ingest bundle contains the DocumentClient, because it slows the cold start', () => {
  const hasDocumentClient = (entry: Entry) =>
    readFileSync(pathOf(entry), 'utf8').includes('DynamoDBDocumentClient');
  expect([...queryHandlers, 'ingest' as const, 'export' as const].filter(hasDocumentClient)).toEqual([
    'ingest',
  ]);
});
