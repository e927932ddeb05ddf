import { addDays, dayOf } from '#core/figures/calendar.ts';
import { type Account, arnOf, inputsOf, running, useBackfills } from '#test/support/aws/backfills.ts';
import { DAY } from '#test/support/generators/chains/sample-days.ts';

/* Proves what stops a backfill, and what the commands say without a stage. test/unit/cli/backfill has the tests of start and status. */

const { startAccount, backfill } = useBackfills();

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
