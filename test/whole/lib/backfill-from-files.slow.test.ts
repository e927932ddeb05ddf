import type { Context } from 'aws-lambda';
import { environment } from '#lambda/environment.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { stateMachineOf, templateOf } from '#test/support/aws/stack.ts';
import { runStateMachine, TaskError } from '#test/support/aws/state-machine.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { ERA_DAYS, eraDaysIn, eraScene, FILE_NAMES } from '#test/support/generators/files/era-scene.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { startEraMirror } from '#test/support/servers/era-mirror.ts';
import { leadAllTo } from '#test/support/servers/in-process-dispatch.ts';
import { startS3Server } from '#test/support/servers/s3-server.ts';
import { useStore } from '#test/support/tables/table.ts';

/* The template's state machine with the real function, an embedded table, a mirror of era files and a JSON-RPC server. */

const { table, store } = useStore('ETHEREUM');
const scene = eraScene();
beforeEach(() => {
  jest.resetModules();
  for (const method of ['info', 'error', 'log'] as const)
    jest.spyOn(console, method).mockImplementation(() => {});
});
afterEach(() => jest.restoreAllMocks());

const definition = stateMachineOf(templateOf({ startDate: ERA_DAYS[0] ?? '' }));

interface Given {
  readonly files?: ReadonlyMap<string, Buffer>;
  readonly dates?: readonly string[];
  /** Reads the files from S3 instead of a mirror. */
  readonly isBucket?: boolean;
  /** Position in the files from which on the mirror sends nothing. */
  readonly hangsAt?: number;
  /** Time of each invocation. */
  readonly milliseconds?: number;
}

async function backfill(given: Given = {}) {
  const {
    files = scene.files,
    dates = ERA_DAYS.toReversed(),
    isBucket,
    hangsAt,
    milliseconds = 300_000,
  } = given;
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
  let invoked = 0;
  const context = { getRemainingTimeInMillis: () => milliseconds } as Context;
  const url = isBucket ? 's3://era-files/ere/' : `${mirror.url}/`;
  const input = { chain: 'ETHEREUM', url, dates };
  const ended = await runStateMachine(definition, input, {
    invoke: async (_, event) => {
      invoked += 1;
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
  return { ended, failures, invocations: () => invoked };
}

const stored = () => eraDaysIn(store());
const expected = (...days: readonly number[]) => days.map(scene.dayAt);

test.each([
  ['mirror', {}],
  ['bucket', { isBucket: true }],
])('reads the days of a %s of era files with real blocks, and publishes them', async (_, given) => {
  const { ended } = await backfill(given);
  expect(ended).toMatchObject({ status: 'SUCCEEDED', output: { chain: 'ETHEREUM', days: 4 } });
  expect(await stored()).toEqual(expected(0, 1, 2, 3));
});

test('reports the days that a damaged file refuses with the reason, without trying again, and publishes the others', async () => {
  const [, name = ''] = FILE_NAMES;
  const tampered = Buffer.from(scene.files.get(name) ?? []);
  tampered[tampered.length >> 1] = (tampered[tampered.length >> 1] as number) ^ 1;
  const { ended, failures, invocations } = await backfill({
    files: new Map([...scene.files, [name, tampered]]),
  });
  expect(ended).toMatchObject({
    error: 'DaysFailed',
    cause: expect.stringMatching(/^1 of 4 days of ETHEREUM failed\. Reasons: s3:\/\//),
  });
  expect(failures).toEqual([
    expect.objectContaining({ Cause: expect.stringMatching(`${name}: .*block 6: `) }),
  ]);
  // Each day once, and one to publish.
  expect(invocations()).toBe(5);
  expect(await stored()).toEqual(expected(0, 2, 3));
});

test('ends each invocation before its deadline when the mirror hangs, and reports the day', async () => {
  const dates = ERA_DAYS.slice(0, 1);
  // Of 16 s, 15 are kept for the function.
  const { ended, failures } = await backfill({ dates, hangsAt: 0, milliseconds: 16_000 });
  expect(ended).toMatchObject({ error: 'DaysFailed' });
  expect(failures).toEqual([
    expect.objectContaining({ Cause: expect.stringContaining('read no block before its time was over') }),
  ]);
});
