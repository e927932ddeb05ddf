import { running, useBackfills } from '#test/support/aws/backfills.ts';
import { backfillOf } from '#test/support/aws/stack.ts';
import { runStateMachine, TaskError } from '#test/support/aws/state-machine.ts';
import { DAY } from '#test/support/generators/chains/sample-days.ts';

/* Proves what `backfill status` shows of executions of the real state machine: their progress, and why days failed. */

const { startAccount, backfill } = useBackfills();

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
