import { setImmediate } from 'node:timers/promises';
import { backfillOf } from '#test/support/aws/stack.ts';
import { runStateMachine, TaskError, type World } from '#test/support/aws/state-machine.ts';

/* The state machine with reports made up by the test. test/whole/lib/backfill-from-files.slow.test.ts runs it with the real ingest. */

const chainOf = (chain: 'BSC' | 'ETHEREUM') => ({
  event: { job: 'ingest' as const, chain, startDate: '2026-11-01' },
  daysAtOnce: 5,
});
const definition = backfillOf({ BSC: chainOf('BSC'), ETHEREUM: chainOf('ETHEREUM') });

/** The part of a run's report that the machine reads. */
type Report = {
  outcome: string;
  final: boolean;
  waiting?: true;
  damaged?: true;
  blocks: number;
  reason?: string;
};
const final: Report = { outcome: 'up to date', final: true, blocks: 9 };
const waiting: Report = { outcome: 'up to date', final: false, waiting: true, blocks: 9 };
const outOfTime = { outcome: 'out of time', final: false, blocks: 9 };
const failed = { outcome: 'failed', final: false, blocks: 9, reason: 'the nodes are unreachable' };

/** Runs a backfill with these outcomes of its invocations for days, and for publishing; the last one repeats. */
async function backfill(
  outcomes: (Report | TaskError)[],
  input: unknown = { chain: 'BSC', dates: ['2026-11-18'] },
  ofPublishing: (Report | TaskError)[] = [final],
) {
  const payloads: unknown[] = [];
  const publishing: unknown[] = [];
  const waits: number[] = [];
  const world: World = {
    invoke: async (functionName, payload) => {
      expect(functionName).toMatch(/:the-ingest$/);
      const isDay = 'date' in (payload as object);
      const [made, all] = isDay ? [payloads, outcomes] : [publishing, ofPublishing];
      const outcome = all[Math.min(made.length, all.length - 1)];
      made.push(payload);
      if (made.length > 100) throw new Error('the machine does not end');
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    wait: async (seconds) => {
      waits.push(seconds);
    },
    objects: new Map(),
  };
  const ended = await runStateMachine(definition, input, world);
  const [reported] = [...world.objects]
    .filter(([key]) => key.endsWith('FAILED_0.json'))
    .map(([, report]) => report);
  return { ended, payloads, publishing, waits, reported };
}

const succeeded = { status: 'SUCCEEDED', output: { chain: 'BSC', days: 1 } };

test('invokes the ingest with the chain’s event until the day is final, without pauses while it progresses', async () => {
  const { ended, payloads, waits } = await backfill([...Array<Report>(50).fill(outOfTime), final]);
  expect(ended).toEqual(succeeded);
  expect(payloads).toEqual(
    Array(51).fill({ job: 'ingest day', chain: 'BSC', startDate: '2026-11-01', date: '2026-11-18' }),
  );
  expect(waits).toEqual([]);
});

test('publishes until a run succeeds, with growing pauses', async () => {
  const { ended, publishing, waits } = await backfill([waiting], undefined, [failed, outOfTime, final]);
  expect(ended).toEqual(succeeded);
  expect(publishing).toHaveLength(3);
  expect(waits).toHaveLength(2);
  expect(waits[0]).toBeLessThanOrEqual(10);
  expect(waits[1]).toBeLessThanOrEqual(20);
});

test.each<[string, Report | TaskError, string, number]>([
  ['fails', failed, failed.reason ?? '', 10],
  ['has no time', outOfTime, 'out of time', 10],
  ['throws', new TaskError('Error', 'a conflict'), 'a conflict', 1],
])('fails with the reason when publishing %s', async (_, report, reason, attempts) => {
  const { ended, publishing } = await backfill([waiting], undefined, [report]);
  expect(ended).toEqual({
    status: 'FAILED',
    error: 'DaysWait',
    cause: `All days of BSC are read, but some may wait to be published. Scheduled runs publish them. The reason: ${reason}`,
  });
  expect(publishing).toHaveLength(attempts);
});

test.each<[string, Report]>([
  ['fails', failed],
  ['is overtaken by another run', { ...outOfTime, outcome: 'overtaken by another run' }],
  ['runs out of time without a block', { ...outOfTime, blocks: 0 }],
  ['is not finalized yet', { ...outOfTime, outcome: 'up to date' }],
])('retries a day that %s with exponential backoff, up to ten times in a row', async (_, report) => {
  const { ended, payloads, waits } = await backfill([report]);
  expect(ended).toMatchObject({ status: 'FAILED', error: 'DaysFailed' });
  expect(payloads).toHaveLength(10);
  const longest = [10, 20, 40, 80, 160, 320, 640, 1_280, 1_800];
  expect(waits).toHaveLength(longest.length);
  for (const [index, most] of longest.entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(most / 2);
    expect(waits[index]).toBeLessThanOrEqual(most);
  }
});

test('reports the reason of a day’s last run, or its outcome if it gave none', async () => {
  expect((await backfill([failed])).reported).toMatchObject([{ Error: 'DayNotFinal', Cause: failed.reason }]);
  const { reported } = await backfill([{ ...outOfTime, blocks: 0 }]);
  expect(reported).toMatchObject([{ Cause: expect.stringMatching(/not final yet.*: out of time$/) }]);
});

test.each([
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Sandbox.Timedout',
  'States.Timeout',
])('retries an invocation that ended with %s, with growing pauses', async (name) => {
  const { ended, waits } = await backfill([...Array(7).fill(new TaskError(name, 'Rate exceeded')), final]);
  expect(ended).toEqual(succeeded);
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300]);
});

test.each([{ chain: 'SOLANA', dates: ['2026-11-18'] }, { dates: ['2026-11-18'] }])(
  'refuses the input %j and lists the known chains',
  async (input) => {
    const { ended, payloads } = await backfill([final], input);
    expect(ended).toMatchObject({
      error: 'UnknownChain',
      cause: expect.stringContaining('which has BSC, ETHEREUM'),
    });
    expect(payloads).toEqual([]);
  },
);

test.each([
  [undefined, 5],
  [2, 2],
  [1.9, 1],
  [50, 5],
  // Step Functions would take zero as no limit.
  [0, 1],
  [-3, 1],
])(
  'with %p days at once in its input, reads %i of the 5 that the stage allows',
  async (daysAtOnce, expected) => {
    const dates = Array.from({ length: 8 }, (_, index) => `2026-11-1${index}`);
    let [reading, most] = [0, 0];
    const invoke: World['invoke'] = async (_, payload) => {
      if (!('date' in (payload as object))) return final;
      reading += 1;
      most = Math.max(most, reading);
      await setImmediate();
      reading -= 1;
      return final;
    };
    const input = { chain: 'BSC', dates, daysAtOnce };
    const ended = await runStateMachine(definition, input, {
      invoke,
      wait: async () => {},
      objects: new Map(),
    });
    expect([ended.status, most]).toEqual(['SUCCEEDED', expected]);
  },
);
