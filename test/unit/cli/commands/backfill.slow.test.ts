import { addDays, dayOf, startOfDay } from '#core/figures/calendar.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { backfillOf } from '#test/support/aws/stack.ts';
import { runStateMachine, TaskError } from '#test/support/aws/state-machine.ts';
import { dayFigures, hashOf, provenance } from '#test/support/generators/blocks/builders.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { completeDays, DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { ERA_DAYS, eraScene } from '#test/support/generators/files/era-scene.ts';
import { type NodeAnswer, startJsonRpcServer, UNAVAILABLE } from '#test/support/nodes/json-rpc-server.ts';
import { runCli } from '#test/support/processes/cli-process.ts';
import { type AwsRequest, stackXml, startAwsEndpoint } from '#test/support/servers/aws-endpoint.ts';
import { startEraMirror } from '#test/support/servers/era-mirror.ts';
import { leadAllTo } from '#test/support/servers/in-process-dispatch.ts';
import { startS3Server } from '#test/support/servers/s3-server.ts';
import { putDay, putWaitingDay } from '#test/support/tables/put-day.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('ETHEREUM');
const MACHINE = 'arn:aws:states:us-east-1:111122223333:stateMachine:Backfill';

/** An execution of the state machine. */
interface Execution {
  readonly name: string;
  readonly status: string;
  readonly input: unknown;
  readonly cause?: string;
  readonly mapRun?: { readonly arn: string; readonly itemCounts: Record<string, number> };
}

const arnOf = ({ name }: Execution) => `arn:aws:states:us-east-1:111122223333:execution:Backfill:${name}`;

/** Starts an AWS endpoint with a deployed stage, executions (newest first) and objects of the bucket. */
const startAccount = (
  executions: readonly Execution[] = [],
  objects: ReadonlyMap<string, unknown> = new Map(),
  outputs: Readonly<Record<string, string>> = {},
  concurrency: number | 'denied' = 1_000,
) => {
  const resultOf = ({ operation, input }: AwsRequest): unknown => {
    const selected = executions.find((one) =>
      [arnOf(one), one.mapRun?.arn].includes(String(input.executionArn ?? input.mapRunArn)),
    );
    const times = (one: Execution | undefined) => ({
      startDate: startOfDay(DAY),
      ...(one?.status !== 'RUNNING' && { stopDate: startOfDay(DAY) + 7_200 }),
    });
    switch (operation) {
      case 'ListExecutions':
        return {
          executions: executions
            .filter(({ status }) => !input.statusFilter || status === input.statusFilter)
            .map((one) => ({
              ...times(one),
              executionArn: arnOf(one),
              stateMachineArn: MACHINE,
              name: one.name,
              status: one.status,
            })),
        };
      case 'DescribeExecution': {
        if (!selected) return undefined;
        const { name, status, cause } = selected;
        return {
          ...times(selected),
          name,
          status,
          cause,
          executionArn: arnOf(selected),
          input: JSON.stringify(selected.input),
        };
      }
      case 'ListMapRuns':
        return { mapRuns: selected?.mapRun ? [{ mapRunArn: selected.mapRun.arn, startDate: 1 }] : [] };
      case 'DescribeMapRun':
        return { mapRunArn: selected?.mapRun?.arn, itemCounts: selected?.mapRun?.itemCounts };
      case 'GetObject':
        if (isLimit(input)) return { AccountLimit: { UnreservedConcurrentExecutions: concurrency } };
        return objects.get(String(input.path).slice(1));
      default:
        return { executionArn: 'arn', startDate: 1, stopDate: 1 };
    }
  };
  const names = { TableName: table().name, BackfillArn: MACHINE, BackfillBucketName: 'reports-bucket' };
  return startAwsEndpoint((request) => {
    if (request.operation === 'DescribeStacks') return { body: stackXml({ ...names, ...outputs }) };
    if (isLimit(request.input) && concurrency === 'denied')
      return { error: 'AccessDeniedException', status: 403 };
    return { result: resultOf(request) };
  });
};

/** Returns whether a request reads the limits of Lambda. */
const isLimit = ({ path }: AwsRequest['input']): boolean => String(path).includes('/account-settings');

type Account = Awaited<ReturnType<typeof startAccount>>;
const inputsOf = (account: Account, operation: string): AwsRequest['input'][] =>
  account.requests.filter((one) => one.operation === operation).map(({ input }) => input);

const running = { name: 'ETHEREUM-1', status: 'RUNNING', input: { chain: 'ETHEREUM', dates: [DAY] } };

/** Runs the command, whose requests to public endpoints go to a node with this answer. */
async function backfill(account: Account, parameters: readonly string[], answer = answerFrom(sampleBlocks)) {
  await using node = await startJsonRpcServer(answer);
  using _nodes = leadAllTo(node.url);
  const tables = { ...embeddedCredentials, AWS_ENDPOINT_URL_DYNAMODB: table().endpoint };
  return await runCli(['backfill', ...parameters], { ...account.environment, ...tables });
}

describe('start', () => {
  const start = (account: Account, parameters: readonly string[], answer?: NodeAnswer) =>
    backfill(account, ['start', '--stage', 'dev', '--chain', 'ETHEREUM', ...parameters], answer);

  const since = ['--start-date', DAY];
  const whole = completeDays.map(({ day }) => day);

  test('starts the missing finalized days after it shows the plan', async () => {
    const totals = { ...NO_TOTALS, blocks: 3 };
    await putDay(store(), dayFigures(whole[1] ?? '', { totals }), provenance());
    await using account = await startAccount();
    const { stdout, stderr } = await start(account, [...since, '--yes', '--json']);

    const dates = [whole[0], whole[2]];
    const result = JSON.parse(stdout);
    // The days have seven blocks, three of them on a final day.
    expect(result).toMatchObject({
      chain: 'ETHEREUM',
      dates,
      blocks: 4,
      json_rpc_calls: 8,
      sample: { blocks: 7 },
    });
    expect(result).not.toHaveProperty('cost');
    expect(result.execution).toMatch(/^ETHEREUM-\d{8}T\d{6}Z$/);
    expect(inputsOf(account, 'StartExecution')).toEqual([
      {
        stateMachineArn: MACHINE,
        name: result.execution,
        // The newest first.
        input: JSON.stringify({ chain: 'ETHEREUM', dates: dates.toReversed(), daysAtOnce: 5 }),
      },
    ]);
    expect(stderr).toContain('ETHEREUM: 2 missing days, 4 blocks, 8 JSON-RPC calls.');
    expect(stderr).toContain('Days ingested at once: 2.');
    expect(stderr).toMatch(
      /\nblocks\/s .*\nduration .*\nfunction hours +<0\.1 +<0\.1\n\nMeasured from this machine: 7 of/,
    );
  });

  test('does not count the blocks of a day that waits', async () => {
    const [day = ''] = whole;
    const progress = { ...startDayProgress(day, undefined), totals: { ...NO_TOTALS, blocks: 4 } };
    await putWaitingDay(store(), { progress, next: { number: 5, hash: hashOf('sample 5') }, since: 0 });
    await using account = await startAccount();
    const { stdout } = await start(account, [...since, '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ dates: whole, blocks: 3 });
  });

  test('starts nothing without --yes when there is no terminal', async () => {
    await using account = await startAccount();
    const { stderr } = await start(account, since);
    expect(stderr).toMatch(/confirm with --yes/);
    expect(stderr).toContain('3 missing days, 7 blocks');
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });

  test('starts nothing when no missing day is finalized', async () => {
    await using account = await startAccount();
    const early = answerFrom(sampleBlocks, { finalized: 3 });
    const { stdout } = await start(account, [...since, '--yes'], early);
    expect(stdout).toMatch(
      /^Nothing to backfill: every day of this range that ETHEREUM has finalized is already published\./,
    );
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });

  test('starts nothing while a backfill of the chain runs, and names the commands for it', async () => {
    await using account = await startAccount([running]);
    const { stderr } = await start(account, [...since, '--yes']);
    expect(stderr).toMatch(
      /^Backfill ETHEREUM-1 of ETHEREUM is already running\..*\n.*backfill status .*\n.*backfill stop --chain ETHEREUM --stage dev/,
    );
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });

  test('starts nothing when another operator has started one meanwhile', async () => {
    const executions: Execution[] = [];
    await using account = await startAccount(executions);
    const { stderr } = await start(account, [...since, '--yes'], (call) => {
      executions[0] ??= running;
      return answerFrom(sampleBlocks)(call);
    });
    expect(stderr).toContain('is already running');
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });

  test('starts while a backfill of another chain runs', async () => {
    await using account = await startAccount([{ ...running, input: { chain: 'BSC', dates: [DAY] } }]);
    await start(account, [...since, '--yes']);
    expect(inputsOf(account, 'StartExecution')).toHaveLength(1);
  });

  describe('with few executions at once', () => {
    const other = { ...running, input: { chain: 'BSC', dates: [DAY], daysAtOnce: 3 } };
    const limited = async (limit: number | 'denied', executions: readonly Execution[] = []) => {
      await using account = await startAccount(executions, new Map(), {}, limit);
      const { stderr } = await start(account, [...since, '--yes']);
      const days = inputsOf(account, 'StartExecution').map(
        ({ input }) => JSON.parse(String(input)).daysAtOnce,
      );
      return { stderr, days };
    };

    // Six chains, and three executions for 25 requests a second.
    test.each<[number, readonly Execution[], number]>([
      [14, [], 5],
      [11, [], 2],
      [10, [], 1],
      [14, [other], 2],
    ])(
      'of %i, beside %j, reads %i days at once, and says why if they are fewer',
      async (limit, executions, expected) => {
        const { stderr, days } = await limited(limit, executions);
        expect(days).toEqual([expected]);
        expect(
          /^Reads \d days? at once instead of 5, because the account allows 1\d executions/m.test(stderr),
        ).toBe(expected < 5);
      },
    );

    test('starts nothing when not one day fits, and names what takes them', async () => {
      const { stderr, days } = await limited(12, [other]);
      expect(days).toEqual([]);
      expect(stderr).toMatch(
        /^Nothing was started: the account allows 12 executions at once: 6 for scheduled runs, 3 for other backfills, and the others for requests\. .* or wait until the other backfills end\./,
      );
    });

    test('starts with those of the stage when AWS denies the limit, and says so', async () => {
      const { stderr, days } = await limited('denied');
      expect(days).toEqual([5]);
      expect(stderr).toMatch(
        /^Not checked whether the account allows 5 more executions at once\. AWS denied/m,
      );
    });
  });

  test('starts nothing when the endpoints do not provide the blocks', async () => {
    await using account = await startAccount();
    const { stderr } = await start(account, [...since, '--yes'], () => UNAVAILABLE);
    expect(stderr).toMatch(
      /^Nothing was started: the endpoints of ETHEREUM do not provide the blocks\..*HTTP status 503.*docs\/operate\/settings\.md/m,
    );
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });
});

describe('start --from files', () => {
  const scene = eraScene();
  const start = (account: Account, url: string, ...more: string[]) =>
    backfill(
      account,
      [...['start', '--stage', 'dev', '--chain', 'ETHEREUM', '--from', 'files', '--url', url], ...more],
      answerFrom(scene.blocks),
    );
  const readingFrom = ({ url }: { url: string }, account: Account) => ({
    ...account,
    environment: { ...account.environment, AWS_ENDPOINT_URL_S3: url },
  });
  /** The newest first, without the day in which the files end. */
  const dates = [addDays(DAY, -1), ...ERA_DAYS].toReversed();

  test('starts the days of the files of a mirror', async () => {
    await using account = await startAccount();
    await using mirror = await startEraMirror(scene.files);
    const { stdout, stderr } = await start(account, `${mirror.url}/`, '--yes', '--json');
    const input = { chain: 'ETHEREUM', url: `${mirror.url}/`, dates, daysAtOnce: 5 };
    const result = JSON.parse(stdout);
    expect(result).toMatchObject(input);
    expect(inputsOf(account, 'StartExecution')).toEqual([
      { stateMachineArn: MACHINE, name: result.execution, input: JSON.stringify(input) },
    ]);
    expect(stderr).toContain('5 missing days from the era files of');
  });

  test('starts the days of the bucket that the stage names', async () => {
    await using account = await startAccount([], new Map(), { EraBucketName: 'era-files' });
    const objects = new Map([...scene.files].map(([name, bytes]) => [`ere/${name}`, bytes]));
    await using bucket = await startS3Server({ bucket: 'era-files', objects });
    await start(readingFrom(bucket, account), 's3://era-files/ere/', '--yes');
    const [started] = inputsOf(account, 'StartExecution');
    const input = { chain: 'ETHEREUM', url: 's3://era-files/ere/', dates, daysAtOnce: 5 };
    expect(JSON.parse(String(started?.input))).toEqual(input);
  });

  test.each([
    [{}, 'none'],
    [{ EraBucketName: 'era-files' }, 'era-files'],
  ])(
    'names the setting for a bucket that the stage with the outputs %j may not read',
    async (outputs, allowed) => {
      await using account = await startAccount([], new Map(), outputs);
      const { stderr } = await start(account, 's3://other-files/ere/', '--yes');
      expect(stderr).toMatch(
        `The deployed stage dev may not read the bucket other-files: its setting eraBucket names ${allowed}.\nSet eraBucket to 'other-files' in lib/stages/dev.ts`,
      );
      expect(inputsOf(account, 'StartExecution')).toEqual([]);
    },
  );

  test('points to the permissions when the operator may not list the bucket', async () => {
    await using account = await startAccount([], new Map(), { EraBucketName: 'era-files' });
    await using bucket = await startS3Server({
      bucket: 'era-files',
      objects: new Map(),
      fault: () => ({ status: 403, code: 'AccessDenied' }),
    });
    const { stderr } = await start(readingFrom(bucket, account), 's3://era-files/ere/', '--yes');
    expect(stderr).toMatch(/^AWS denied the request: .*docs\/operate\/operations\.md lists the permissions/);
  });

  test('starts nothing from a folder', async () => {
    await using account = await startAccount();
    expect((await start(account, './files', '--yes')).stderr).toContain('Add --local for a folder');
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });
});

/** Runs the state machine to its end, and returns the execution with its report. */
async function endedBackfill() {
  const event = { job: 'ingest', chain: 'BSC', startDate: DAY } as const;
  const objects = new Map<string, unknown>();
  const failures: Record<string, TaskError> = {
    '2026-11-20': new TaskError(
      'Error',
      JSON.stringify({ errorType: 'Error', errorMessage: 'BSC 2026-11-20 conflicts' }),
    ),
    '2026-11-19': new TaskError('Lambda.ServiceException', 'a fault of Lambda'),
  };
  const input = { chain: 'BSC', dates: ['2026-11-20', '2026-11-19', '2026-11-18'] };
  const ended = await runStateMachine(backfillOf({ BSC: { event, daysAtOnce: 5 } }), input, {
    invoke: async (_, payload) => {
      const failure = failures[(payload as { date: string }).date];
      if (failure) throw failure;
      return { outcome: 'up to date', final: true, blocks: 1 };
    },
    wait: async () => {},
    objects,
  });
  const arn = [...objects.keys()].find((key) => key.startsWith('arn:')) ?? '';
  const mapRun = { arn, itemCounts: { total: 3, succeeded: 1, failed: 2, running: 0, pending: 0 } };
  const { status, cause } = { cause: '', ...ended };
  return { execution: { name: 'BSC-1', status, cause, input, mapRun }, objects };
}

const half = {
  ...running,
  mapRun: { arn: 'arn:run-half', itemCounts: { total: 10, succeeded: 4, failed: 1, running: 2, pending: 3 } },
};

describe('status', () => {
  test('shows the progress of each backfill, and why days failed', async () => {
    const { execution, objects } = await endedBackfill();
    await using account = await startAccount([half, execution], objects);
    const { code, stdout } = await backfill(account, ['status', '--stage', 'dev']);
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
    expect(lines).toEqual(
      expect.arrayContaining([
        'chain | state | days | done | failed | running | pending | started (UTC) | elapsed | remaining',
        expect.stringMatching(/^ETHEREUM \| running \| 10 \| 4 \| 1 \| 2 \| 3 \| 2026-11-18 00:00 \| \d+d/),
        'BSC | failed | 3 | 1 | 2 | 0 | 0 | 2026-11-18 00:00 | 2h',
        'BSC-1: 2 days failed.',
        '2026-11-19 | a fault of Lambda',
        '2026-11-20 | BSC 2026-11-20 conflicts',
        'To retry them:',
        ' | npx --no chain-insights backfill start --chain BSC --start-date 2026-11-18 --end-date 2026-11-20 --stage dev',
      ]),
    );
    expect(code).toBe(3);
  });

  test('prints the selected chains as JSON', async () => {
    const { execution, objects } = await endedBackfill();
    await using account = await startAccount([half, execution], objects);
    const parameters = ['status', '--stage', 'dev', '--chain', 'ETHEREUM', '--json'];
    const { code, stdout } = await backfill(account, parameters);
    const [only, ...others] = JSON.parse(stdout);
    expect(only).toMatchObject({
      chain: 'ETHEREUM',
      status: 'RUNNING',
      failures: [],
      days: 10,
      done: 4,
      pending: 3,
    });
    // Five of ten days have ended.
    expect(only.remaining_seconds).toBe(only.elapsed_seconds);
    expect(others).toEqual([]);
    expect(code).toBe(0);
  });

  test('states that there are no backfills', async () => {
    await using account = await startAccount([half]);
    const { stdout } = await backfill(account, ['status', '--stage', 'dev', '--chain', 'BASE']);
    expect(stdout).toContain('No backfills found');
  });

  test.each([
    ['has', () => false],
    ['has in part', (key: string) => key.includes('manifest')],
  ])('shows the number of failed days when the report %s expired', async (_, isLeft) => {
    const { execution, objects } = await endedBackfill();
    const left = new Map([...objects].filter(([key]) => isLeft(key)));
    await using account = await startAccount([execution], left);
    const { stdout } = await backfill(account, ['status', '--stage', 'dev']);
    expect(stdout).toMatch(/BSC-1: 2 of 3 days of BSC failed.*The report with the reasons has expired/);
  });
});

describe('stop', () => {
  const stop = (account: Account) => backfill(account, ['stop', '--stage', 'dev', '--chain', 'ETHEREUM']);

  test('stops the backfill of the chain, and names the command to continue', async () => {
    await using account = await startAccount([running]);
    const { stdout } = await stop(account);
    expect(inputsOf(account, 'StopExecution')).toEqual([
      expect.objectContaining({ executionArn: arnOf(running) }),
    ]);
    expect(stdout).toContain(
      `npx --no chain-insights backfill start --chain ETHEREUM --start-date ${DAY} --end-date ${DAY} --stage dev`,
    );
  });

  test('keeps the place of files in the command to continue', async () => {
    const input = { chain: 'ETHEREUM', url: 's3://era-files/ere/', dates: ['2015-08-31', '2015-08-01'] };
    await using account = await startAccount([{ ...running, input }]);
    expect((await stop(account)).stdout).toContain(
      'npx --no chain-insights backfill start --chain ETHEREUM --from files --url s3://era-files/ere/ --start-date 2015-08-01 --end-date 2015-08-31 --stage dev',
    );
  });

  test('fails when no backfill of the chain runs', async () => {
    await using account = await startAccount([{ ...running, status: 'SUCCEEDED' }]);
    expect((await stop(account)).stderr).toMatch(/^No backfill of ETHEREUM is running/);
    expect(inputsOf(account, 'StopExecution')).toEqual([]);
  });
});

test('shows the cost at the given prices', async () => {
  await using account = await startAccount();
  const prices = ['--price-per-hour', '360', '--price-per-million-calls', '500000'];
  const range = ['--chain', 'ETHEREUM', '--start-date', DAY, '--end-date', DAY];
  const { stdout, stderr } = await backfill(account, [
    ...['start', '--stage', 'dev', ...range, ...prices, '--yes', '--json'],
  ]);
  const { json_rpc_calls, estimate, cost } = JSON.parse(stdout);
  expect(cost.best).toBeCloseTo(estimate.best.function_hours * 360 + json_rpc_calls * 0.5, 6);
  expect(stderr).toContain(`\ncost            ${cost.best.toFixed(2)}`);
});

describe('without a stage', () => {
  const yesterday = addDays(dayOf(Date.now() / 1_000), -1);

  test.each([
    ['the given range', ['--start-date', DAY, '--end-date', DAY], DAY, DAY],
    ['days up to yesterday', ['--start-date', '2026-11-10'], '2026-11-10', yesterday],
    ['no day before the chain', ['--start-date', '2020-01-01', '--end-date', DAY], '2023-06-15', DAY],
    ['no future day', ['--start-date', DAY, '--end-date', '2999-12-31'], DAY, yesterday],
  ])('start suggests to ingest %s on this machine', async (_, range, first, last) => {
    await using account = await startAccount();
    const { stderr } = await backfill(account, ['start', '--chain', 'BASE', ...range]);
    expect(first <= last).toBe(true);
    expect(stderr).toBe(
      'Backfills run on a deployed stage. Name it with --stage.\nTo ingest the same days on this machine:\n' +
        `  npx --no chain-insights ingest --chain BASE --start-date ${first} --end-date ${last}\n`,
    );
  });

  test.each([
    [['--start-date', '2999-01-01'], /^No day of BASE in this range is complete\. Choose days from 2023/],
    [['--start-date', '2022-01-01', '--end-date', '2022-01-31'], /^No day of BASE in this range is complete/],
    [['--start-date', DAY, '--end-date', '2026-10-31'], /^--start-date 2026-11-18 is after --end-date/],
  ])('start refuses %j', async (range, message) => {
    await using account = await startAccount();
    const { stderr } = await backfill(account, ['start', '--chain', 'BASE', ...range]);
    expect(stderr).toMatch(message);
  });

  test('stop asks for the stage', async () => {
    await using account = await startAccount();
    expect((await backfill(account, ['stop', '--chain', 'BASE'])).stderr).toBe(
      'Backfills run on a deployed stage. Name it with --stage.\n',
    );
  });
});
