import type { Context } from 'aws-lambda';
import { queryDays } from '#core/store/days.ts';
import { chainStore } from '#core/store/table.ts';
import { environment } from '#lambda/environment.ts';
import { backfillDefinition } from '#lib/backfill/definition.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { ERA_DAYS, eraScene, FILE_NAMES } from '#test/support/generators/era-scene.ts';
import { answerFrom } from '#test/support/generators/sample-chain.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { startEraMirror } from '#test/support/servers/era-mirror.ts';
import { leadAllTo } from '#test/support/servers/in-process-dispatch.ts';
import { startS3Server } from '#test/support/servers/s3-server.ts';
import { runStateMachine, TaskError } from '#test/support/state-machine.ts';
import { useTable } from '#test/support/tables/table.ts';

/* The state machine with the real function, an embedded table, a mirror of era files and a JSON-RPC server. */

const table = useTable();
const environmentBefore = { ...process.env };
const scene = eraScene();
beforeEach(() => {
  jest.resetModules();
  for (const method of ['info', 'error', 'log'] as const)
    jest.spyOn(console, method).mockImplementation(() => {});
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env = { ...environmentBefore };
});

const definition = backfillDefinition(
  { ETHEREUM: { event: { job: 'ingest', chain: 'ETHEREUM', startDate: ERA_DAYS[0] ?? '' }, daysAtOnce: 5 } },
  { arn: 'arn:aws', functionArn: 'ingest', bucketName: 'reports' },
);

interface Given {
  readonly files?: ReadonlyMap<string, Buffer>;
  readonly names?: readonly string[];
  /** Reads the files from S3 instead of a mirror. */
  readonly isBucket?: boolean;
  /** Position in the files from which on the mirror sends nothing. */
  readonly hangsAt?: number;
  /** Time of each invocation. */
  readonly milliseconds?: number;
}

async function backfill(given: Given = {}) {
  const { files = scene.files, names = FILE_NAMES, isBucket, hangsAt, milliseconds = 300_000 } = given;
  await using node = await startJsonRpcServer(answerFrom(scene.blocks));
  await using mirror = await startEraMirror(files, hangsAt);
  const objects = new Map([...files].map(([name, bytes]) => [`ere/${name}`, bytes]));
  await using bucket = await startS3Server({ bucket: 'era-files', objects });
  Object.assign(process.env, bucket.environment, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: table().endpoint,
    [environment.stackId]: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Test/1',
    [environment.tableName]: table().name,
    [environment.metricsNamespace]: 'ChainInsights/test',
    POWERTOOLS_DEV: 'true',
  });
  using _nodes = leadAllTo(node.url);
  const { handler } = await import('#lambda/ingest.ts');
  const reports = new Map<string, unknown>();
  const context = { getRemainingTimeInMillis: () => milliseconds } as Context;
  const url = isBucket ? 's3://era-files/ere/' : `${mirror.url}/`;
  const input = { chain: 'ETHEREUM', url, files: names };
  const ended = await runStateMachine(definition, input, {
    invoke: async (_, event) => {
      try {
        return JSON.parse(JSON.stringify(await handler(event, context)));
      } catch (error) {
        const { name, message } = error as Error;
        throw new TaskError(name, JSON.stringify({ errorMessage: message }));
      }
    },
    wait: async () => {},
    objects: reports,
  });
  const failures = [...reports].find(([key]) => key.endsWith('FAILED_0.json'))?.[1];
  return { ended, failures };
}

const stored = async () =>
  (await queryDays(chainStore(table(), 'ETHEREUM'), ERA_DAYS[0] ?? '', '9999-12-31')).map(
    ({ day, totals }) => [day, totals],
  );
const expected = (...days: readonly number[]) =>
  days.map((day) => [ERA_DAYS[day], scene.totalsOf(3 * day + 1, 3 * day + 3)]);

test.each([
  ['mirror', {}],
  ['bucket', { isBucket: true }],
])('proves a %s of era files with real blocks, and publishes their days', async (_, given) => {
  const { ended } = await backfill(given);
  expect(ended).toMatchObject({
    status: 'SUCCEEDED',
    output: { chain: 'ETHEREUM', files: 4, joined: { outcome: 'joined', files: 4, conflicts: 0 } },
  });
  expect(await stored()).toEqual(expected(0, 1, 2, 3));
});

test('reports a refused and a missing file with their reasons, and publishes the days of the others', async () => {
  const [name = '', missing = ''] = FILE_NAMES.slice(1, 3);
  const tampered = Buffer.from(scene.files.get(name) ?? []);
  tampered[tampered.length >> 1] = (tampered[tampered.length >> 1] as number) ^ 1;
  const files = new Map([...scene.files, [name, tampered] as const]);
  files.delete(missing);
  const { ended, failures } = await backfill({ files });
  expect(ended).toMatchObject({
    error: 'FilesFailed',
    cause: expect.stringMatching(/^2 of 4 files of ETHEREUM failed\. Reasons: s3:\/\/reports\//),
  });
  expect(failures).toEqual([
    expect.objectContaining({ Cause: expect.stringContaining(`${name}: `) }),
    expect.objectContaining({ Cause: expect.stringContaining('answered 404') }),
  ]);
  expect(await stored()).toEqual(expected(0));
});

test('ends each invocation before its deadline when the mirror hangs, and reports the file', async () => {
  const names = FILE_NAMES.slice(0, 1);
  // Of 45.2 s, 15 are kept for the function, and 30 to confirm the file and save its sums.
  const { ended, failures } = await backfill({ names, hangsAt: 0, milliseconds: 45_200 });
  expect(ended).toMatchObject({ error: 'FilesFailed' });
  expect(failures).toEqual([
    expect.objectContaining({ Cause: expect.stringContaining('the run ended before it responded') }),
  ]);
});
