import { createBackfills, readFailures } from '#cli/backfill/executions.ts';
import type { DeployedService } from '#cli/deployed-service.ts';
import { type AwsEndpoint, startAwsEndpoint } from '#test/support/servers/aws-endpoint.ts';

/*
 * Proves which executions are listed, what is read of one that a person started otherwise, and the reasons why days failed.
 * status.slow.test.ts reads the reports of the real state machine.
 */

const environmentBefore = { ...process.env };
afterEach(() => {
  process.env = { ...environmentBefore };
});

interface Execution {
  readonly name: string;
  readonly status?: string;
  readonly input?: string;
  readonly itemCounts?: Record<string, number>;
}

const service = { access: {}, output: (name: string) => name } as unknown as DeployedService;

/** Starts an account with executions, the newest first, and objects of the bucket. */
async function open(executions: readonly Execution[], objects: Readonly<Record<string, unknown>> = {}) {
  const account = await startAwsEndpoint(({ operation, input }) => {
    const arn = String(input.executionArn ?? input.mapRunArn);
    const {
      name,
      status = 'SUCCEEDED',
      ...one
    } = executions.find((each) => each.name === arn) ?? { name: '' };
    const listed = executions.filter((each) => !input.statusFilter || each.status === input.statusFilter);
    const results: Readonly<Record<string, unknown>> = {
      ListExecutions: { executions: listed.map((each) => ({ status, ...each, executionArn: each.name })) },
      DescribeExecution: { name, status, startDate: 7, input: one.input },
      ListMapRuns: { mapRuns: one.itemCounts ? [{ mapRunArn: name }] : [] },
      DescribeMapRun: { itemCounts: one.itemCounts },
      GetObject: objects[String(input.path).split('/').at(-1) ?? ''],
    };
    return { result: results[operation] };
  });
  Object.assign(process.env, account.environment);
  return account;
}

const named = (name: string, status = 'SUCCEEDED', more: Partial<Execution> = {}): Execution => ({
  ...{ name, status, input: JSON.stringify({ chain: name.replace(/-.*/, ''), dates: ['2026-11-18'] }) },
  ...more,
});
const asked = ({ requests }: AwsEndpoint, operation: string) =>
  requests.filter((one) => one.operation === operation).length;

describe('list', () => {
  const all = [
    ...[named('BASE-5', 'RUNNING'), named('WORLD_CHAIN-4'), named('BASE-3', 'FAILED')],
    ...[named('BASE-2', 'RUNNING'), named('BASE-1')],
  ];

  test.each([
    ['all that run, and the most recent that ended', undefined, ['BASE-5', 'WORLD_CHAIN-4', 'BASE-2']],
    ['those of some chains', ['BASE'] as const, ['BASE-5', 'BASE-3', 'BASE-2']],
    ['none of a chain without any', ['BSC'] as const, []],
  ])('names %s', async (_, chains, names) => {
    await using _account = await open(all);
    const found = await createBackfills(service).list(1, chains);
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  test('describes no more executions than it names', async () => {
    await using account = await open(all);
    await createBackfills(service).list(1, undefined);
    expect(asked(account, 'DescribeExecution')).toBe(3);
  });
});

test('running names those of one chain that run', async () => {
  await using _account = await open([named('BASE-2', 'RUNNING'), named('BSC-2', 'RUNNING'), named('BASE-1')]);
  expect((await createBackfills(service).running('BASE')).map(({ name }) => name)).toEqual(['BASE-2']);
});

test.each([
  ['that is not JSON', 'none', { chain: '?', dates: [] }],
  ['without a chain', '{"dates":["2026-11-18"]}', { chain: '?', dates: [] }],
  ['without days', '{"chain":"BASE"}', { chain: 'BASE', dates: [] }],
])('reads an execution whose input is one %s', async (_, input, expected) => {
  await using _account = await open([named('by hand', 'RUNNING', { input })]);
  const [found] = await createBackfills(service).list(1, undefined);
  expect(found).toMatchObject({ input: expected, mapRun: undefined });
});

test('counts days that failed, timed out or were stopped as failed', async () => {
  const itemCounts = { total: 9, succeeded: 1, running: 2, pending: 0, failed: 1, timedOut: 2, aborted: 3 };
  await using _account = await open([named('BASE-1', 'RUNNING', { itemCounts })]);
  const [found] = await createBackfills(service).list(1, undefined);
  expect(found?.mapRun).toEqual({ arn: 'BASE-1', total: 9, succeeded: 1, running: 2, pending: 0, failed: 6 });
});

test('a map run that has counted nothing has no days', async () => {
  await using _account = await open([named('BASE-1', 'RUNNING', { itemCounts: {} })]);
  const [found] = await createBackfills(service).list(1, undefined);
  expect(found?.mapRun).toEqual({ arn: 'BASE-1', total: 0, succeeded: 0, running: 0, pending: 0, failed: 0 });
});

describe('readFailures', () => {
  const manifest = { ResultFiles: { FAILED: [{ Key: 'one.json' }, { Key: 'two.json' }] } };
  const day = (date: string, more: object) => ({ Input: JSON.stringify({ date }), ...more });
  const failures = {
    'manifest.json': manifest,
    'one.json': [
      day('2026-11-20', { Cause: '{"errorMessage":"a gap"}' }),
      day('2026-11-19', { Cause: 'Killed' }),
    ],
    'two.json': [
      day('2026-11-18', { Error: 'States.Timeout' }),
      day('2026-11-17', { Status: 'TIMED_OUT' }),
      day('2026-11-16', {}),
    ],
  };
  const mapRun = { arn: 'arn:aws:states:mapRun:Backfill:id' };

  test('gives the reason of each day that is known best, the earliest day first', async () => {
    await using account = await open([], failures);
    expect(await readFailures(service, mapRun)).toEqual([
      { date: '2026-11-16', reason: 'FAILED' },
      { date: '2026-11-17', reason: 'TIMED_OUT' },
      { date: '2026-11-18', reason: 'States.Timeout' },
      { date: '2026-11-19', reason: 'Killed' },
      { date: '2026-11-20', reason: 'a gap' },
    ]);
    expect(account.requests[0]?.input.path).toMatch(/\/id\/manifest\.json$/);
  });

  test.each([
    ['report', {}],
    ['part of the report', { ...failures, 'two.json': undefined }],
  ])('is unknown once the %s has expired', async (_, objects) => {
    await using _account = await open([], objects);
    expect(await readFailures(service, mapRun)).toBeUndefined();
  });

  test('is empty without failed days', async () => {
    await using _account = await open([], { 'manifest.json': { ResultFiles: {} } });
    expect(await readFailures(service, mapRun)).toEqual([]);
  });
});
