import { backfillCommand } from '../../../cli/commands/backfill.ts';
import { startOfDay } from '../../../lambda/chains/utc-day.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { putDay } from '../../../lambda/store/days.ts';
import { backfillDefinition } from '../../../lib/backfill/definition.ts';
import { embeddedCredentials } from '../../../local/embedded-table.ts';
import { type Asked, stackXml, startAwsEndpoint } from '../../support/aws-endpoint.ts';
import { hashOf, provenance } from '../../support/builders.ts';
import { runCli } from '../../support/cli-process.ts';
import { leadAllTo } from '../../support/in-process-dispatch.ts';
import { type Answer, type Call, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom } from '../../support/sample-chain.ts';
import { DAY, sampleBlocks, wholeDays } from '../../support/sample-days.ts';
import { runStateMachine, TaskError } from '../../support/state-machine.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'ETHEREUM');
const MACHINE = 'arn:aws:states:us-east-1:111122223333:stateMachine:Backfill';

/** One execution, as AWS tells of it. */
interface Execution {
  readonly name: string;
  readonly status: string;
  readonly input: unknown;
  readonly cause?: string;
  readonly mapRun?: { readonly arn: string; readonly itemCounts: Record<string, number> };
}

const arnOf = ({ name }: Execution) => `arn:aws:states:us-east-1:111122223333:execution:Backfill:${name}`;

/** An account in which the stage is deployed, with these executions, the newest first, and these objects. */
const startAccount = (
  executions: readonly Execution[] = [],
  objects: ReadonlyMap<string, unknown> = new Map(),
) =>
  startAwsEndpoint(({ operation, input }) => {
    const meant = executions.find((one) =>
      [arnOf(one), one.mapRun?.arn].includes(String(input.executionArn ?? input.mapRunArn)),
    );
    const times = (one: Execution | undefined) => ({
      startDate: startOfDay(DAY),
      ...(one?.status !== 'RUNNING' && { stopDate: startOfDay(DAY) + 7_200 }),
    });
    switch (operation) {
      case 'DescribeStacks':
        return stackXml({
          TableName: table().name,
          BackfillArn: MACHINE,
          BackfillBucketName: 'reports-bucket',
        });
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
        if (!meant) return undefined;
        const { name, status, cause } = meant;
        return {
          ...times(meant),
          name,
          status,
          cause,
          executionArn: arnOf(meant),
          input: JSON.stringify(meant.input),
        };
      }
      case 'ListMapRuns':
        return { mapRuns: meant?.mapRun ? [{ mapRunArn: meant.mapRun.arn, startDate: 1 }] : [] };
      case 'DescribeMapRun':
        return { mapRunArn: meant?.mapRun?.arn, itemCounts: meant?.mapRun?.itemCounts };
      case 'GetObject':
        return objects.get(String(input.path).slice(1));
      default:
        return { executionArn: 'arn', startDate: 1, stopDate: 1 };
    }
  });

type Account = Awaited<ReturnType<typeof startAccount>>;
const inputsOf = (account: Account, operation: string): Asked['input'][] =>
  account.asked.filter((one) => one.operation === operation).map(({ input }) => input);

const running = { name: 'ETHEREUM-1', status: 'RUNNING', input: { chain: 'ETHEREUM', dates: [DAY] } };

const environmentBefore = { ...process.env };
afterEach(() => {
  jest.restoreAllMocks();
  process.env = { ...environmentBefore };
  process.exitCode = undefined;
});

/** Runs the command in this process, where public nodes can be taken the place of. */
async function backfill(account: Account, parameters: readonly string[], answer = answerFrom(sampleBlocks)) {
  await using node = await startJsonRpcServer(answer);
  Object.assign(process.env, account.environment, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: table().endpoint,
  });
  using _nodes = leadAllTo(node.url);
  const written = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockReturnValue(true),
  );
  const failure = await backfillCommand()
    .parseAsync(parameters, { from: 'user' })
    .then(() => undefined)
    .catch((error: Error) => error.message);
  const [stdout = '', stderr = ''] = written.map((spy) => spy.mock.calls.map(([text]) => text).join(''));
  jest.restoreAllMocks();
  return { stdout, stderr, failure };
}

describe('start', () => {
  const start = (account: Account, parameters: readonly string[], answer?: (call: Call) => Answer) =>
    backfill(account, ['start', '--stage', 'dev', '--chain', 'ETHEREUM', ...parameters], answer);

  const since = ['--start-date', DAY];
  const whole = wholeDays.map(({ day }) => day);

  test('has the days read that are missing and finalized, after it said what that takes', async () => {
    const totals = { blocks: 3, transactions: 0, protocolTransactions: 0 };
    const fees = { execution: 0n, l1Data: 0n, operator: 0n, blob: 0n, retryableDoubleCount: 0n };
    const last = { number: 7, hash: hashOf('sample 7') };
    const figures = { day: whole[1] ?? '', totals: { ...totals, fees }, last, definitionVersion: 1 };
    await putDay(store(), figures, provenance());
    await using account = await startAccount();
    const { stdout, stderr } = await start(account, [...since, '--yes', '--json']);

    const dates = [whole[0], whole[2]];
    const result = JSON.parse(stdout);
    // Seven from the first day to the last, of which three are in the table.
    expect(result).toMatchObject({ chain: 'ETHEREUM', dates, blocks: 4, sample: { blocks: 7 } });
    expect(result.execution).toMatch(/^ETHEREUM-\d{8}T\d{6}Z$/);
    expect(inputsOf(account, 'StartExecution')).toEqual([
      {
        stateMachineArn: MACHINE,
        name: result.execution,
        input: JSON.stringify({ chain: 'ETHEREUM', dates }),
      },
    ]);
    expect(stderr).toContain('ETHEREUM: 2 days to read, 4 blocks; 2 at once.');
    for (const item of ['time', 'Lambda', 'Step Functions', 'DynamoDB', 'sum', 'Measured', 'Assumed']) {
      expect(stderr).toContain(item);
    }
  });

  test('asks for a yes where there is no terminal, and starts nothing', async () => {
    await using account = await startAccount();
    const { failure, stderr } = await start(account, since);
    expect(failure).toMatch(/add --yes/);
    expect(stderr).toContain('3 days to read, 7 blocks');
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });

  test('begins with the chain’s first day, and ends with the day that is asked for', async () => {
    await using account = await startAccount();
    const { stdout } = await start(account, [
      '--start-date',
      '2015-01-01',
      '--end-date',
      DAY,
      '--yes',
      '--json',
    ]);
    const { dates, blocks } = JSON.parse(stdout);
    expect([dates[0], dates.at(-1), blocks]).toEqual(['2015-07-30', DAY, 5]);
  });

  test('starts nothing where nothing is finalized', async () => {
    await using account = await startAccount();
    const early = answerFrom(sampleBlocks, { finalized: 3 });
    const { stdout } = await start(account, [...since, '--yes'], early);
    expect(stdout).toMatch(/^No day of ETHEREUM in this range is left to be read/);
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });

  test('starts nothing while one for the chain is running, and says how to see and end it', async () => {
    await using account = await startAccount([running]);
    const { failure } = await start(account, [...since, '--yes']);
    expect(failure).toMatch(
      /running: ETHEREUM-1.*backfill status --stage dev.*backfill stop --stage dev --chain ETHEREUM/,
    );
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });

  test('minds no other chain’s', async () => {
    await using account = await startAccount([{ ...running, input: { chain: 'BSC', dates: [DAY] } }]);
    await start(account, [...since, '--yes']);
    expect(inputsOf(account, 'StartExecution')).toHaveLength(1);
  });

  test('starts nothing that the nodes could not give', async () => {
    await using account = await startAccount();
    const headers = { 'retry-after': '3600' };
    const { failure } = await start(account, [...since, '--yes'], () => ({ status: 503, body: '', headers }));
    expect(failure).toMatch(
      /^Nothing was started, since the nodes of ETHEREUM do not give.*HTTP status 503.*docs\/deploy\.md/,
    );
    expect(inputsOf(account, 'StartExecution')).toEqual([]);
  });
});

/** A backfill that has ended, with what the real state machine reports of it. */
async function endedBackfill() {
  const event = { chain: 'BSC', start_date: DAY } as const;
  const places = { arn: 'arn:aws', functionArn: 'ingest', bucketName: 'reports-bucket' };
  const objects = new Map<string, unknown>();
  const failures: Record<string, TaskError> = {
    '2026-11-20': new TaskError(
      'Error',
      JSON.stringify({ errorType: 'Error', errorMessage: 'BSC 2026-11-20 conflicts' }),
    ),
    '2026-11-19': new TaskError('Lambda.ServiceException', 'a fault of Lambda'),
  };
  const input = { chain: 'BSC', dates: ['2026-11-20', '2026-11-19', '2026-11-18'] };
  const ended = await runStateMachine(backfillDefinition({ BSC: { event, daysAtOnce: 5 } }, places), input, {
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
  test('shows how far each backfill is, and why days failed', async () => {
    const { execution, objects } = await endedBackfill();
    await using account = await startAccount([half, execution], objects);
    const { code, stdout } = await runCli(['backfill', 'status', '--stage', 'dev'], account.environment);
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
    expect(lines).toEqual(
      expect.arrayContaining([
        'chain | state | days | done | failed | running | pending | started (UTC) | took | left',
        expect.stringMatching(/^ETHEREUM \| running \| 10 \| 4 \| 1 \| 2 \| 3 \| 2026-11-18 00:00 \| \d+ d/),
        'BSC | failed | 3 | 1 | 2 | 0 | 0 | 2026-11-18 00:00 | 2 h',
        'BSC-1: 2 days failed.',
        '2026-11-19 | a fault of Lambda',
        '2026-11-20 | BSC 2026-11-20 conflicts',
        'Read them again with: npx chain-insights backfill start --stage dev --chain BSC --start-date 2026-11-18 --end-date 2026-11-20',
      ]),
    );
    expect(code).toBe(3);
  });

  test('tells scripts the same, of the chains that are asked for', async () => {
    const { execution, objects } = await endedBackfill();
    await using account = await startAccount([half, execution], objects);
    const { stdout } = await backfill(account, ['status', '--stage', 'dev', '--chain', 'ETHEREUM', '--json']);
    const [only, ...others] = JSON.parse(stdout);
    expect(only).toMatchObject({
      ...{ chain: 'ETHEREUM', status: 'RUNNING', failures: [] },
      ...{ days: 10, done: 4, pending: 3 },
    });
    // Five of ten are over.
    expect(only.left_seconds).toBe(only.elapsed_seconds);
    expect(others).toEqual([]);
    expect(process.exitCode).toBeUndefined();
  });

  test('says so when none is known', async () => {
    await using account = await startAccount([half]);
    const { stdout } = await backfill(account, ['status', '--stage', 'dev', '--chain', 'BASE']);
    expect(stdout).toContain('No backfill is known');
  });

  test('tells what is left of a failure when its report has been deleted', async () => {
    const { execution } = await endedBackfill();
    await using account = await startAccount([execution]);
    const { stdout } = await backfill(account, ['status', '--stage', 'dev']);
    expect(stdout).toMatch(/BSC-1: 2 of 3 days of BSC failed.*That report is gone/);
  });
});

describe('stop', () => {
  const stop = (account: Account) => backfill(account, ['stop', '--stage', 'dev', '--chain', 'ETHEREUM']);

  test('ends what runs for the chain, and says how to go on', async () => {
    await using account = await startAccount([running]);
    const { stdout } = await stop(account);
    expect(inputsOf(account, 'StopExecution')).toEqual([
      expect.objectContaining({ executionArn: arnOf(running) }),
    ]);
    expect(stdout).toContain(
      `npx chain-insights backfill start --stage dev --chain ETHEREUM --start-date ${DAY} --end-date ${DAY}`,
    );
  });

  test('says that none runs', async () => {
    await using account = await startAccount([{ ...running, status: 'SUCCEEDED' }]);
    expect((await stop(account)).failure).toMatch(/^No backfill of ETHEREUM is running/);
    expect(inputsOf(account, 'StopExecution')).toEqual([]);
  });
});

test('on this machine it names the command that does the same', async () => {
  await using account = await startAccount();
  const parameters = ['start', '--chain', 'BASE', '--start-date', DAY, '--end-date', DAY];
  const { failure } = await backfill(account, parameters);
  expect(failure).toContain(`npx chain-insights ingest --chain BASE --start-date ${DAY} --end-date ${DAY}`);
});
