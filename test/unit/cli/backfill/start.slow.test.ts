import { addDays } from '#core/figures/calendar.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import {
  type Account,
  type Execution,
  inputsOf,
  MACHINE,
  running,
  useBackfills,
} from '#test/support/aws/backfills.ts';
import { dayFigures, hashOf, provenance } from '#test/support/generators/blocks/builders.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { completeDays, DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { ERA_DAYS, eraScene } from '#test/support/generators/files/era-scene.ts';
import { type NodeAnswer, UNAVAILABLE } from '#test/support/nodes/json-rpc-server.ts';
import { startEraMirror } from '#test/support/servers/era-mirror.ts';
import { startS3Server } from '#test/support/servers/s3-server.ts';
import { putDay, putWaitingDay } from '#test/support/tables/put-day.ts';

/* Proves which days `backfill start` starts on a stage, how many at once, at which cost, and when it starts none. */

const { store, startAccount, backfill } = useBackfills();

describe('startBackfill', () => {
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

describe('startBackfill from files', () => {
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
