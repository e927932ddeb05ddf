import type { Template } from 'aws-cdk-lib/assertions';
import type { Context } from 'aws-lambda';
import { environment } from '#lambda/environment.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { completeDays, DAY, sampleBlocks, storedDays } from '#test/support/generators/chains/sample-days.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { ACCEPTED, startAwsService } from '#test/support/servers/aws-service.ts';
import { leadAllTo } from '#test/support/servers/in-process-dispatch.ts';
import { nameOf, templateOf, theOnly } from '#test/support/stack.ts';
import { runStateMachine, TaskError, type World } from '#test/support/state-machine.ts';
import { useStore } from '#test/support/tables/table.ts';

/* The template's state machine with the real ingest, an embedded table and a JSON-RPC server. */

/** The ingest's clock runs 100 times faster, because retries pause for seconds and a run takes minutes. */
jest.mock('#core/clock.ts', () => {
  const { systemClock } = jest.requireActual('#core/clock.ts');
  const start = Date.now();
  return {
    systemClock: {
      now: () => start + (Date.now() - start) * 100,
      sleep: (ms: number, signal: AbortSignal) => systemClock.sleep(ms / 100, signal),
      jitter: (ms: number) => ms,
    },
  };
});

const { table } = useStore('ETHEREUM');
const environmentBefore = { ...process.env };

beforeEach(() => {
  jest.resetModules();
  for (const method of ['info', 'error', 'warn', 'log'] as const) {
    jest.spyOn(console, method).mockImplementation(() => {});
  }
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env = { ...environmentBefore };
});

const machineOf = (template: Template) => theOnly(template, 'AWS::StepFunctions::StateMachine');
const definitionOf = (template: Template) => JSON.parse(nameOf(machineOf(template).DefinitionString));

const template = templateOf();
const definition = definitionOf(template);

/** A stage with values for one chain and for all. */
const configured = definitionOf(
  templateOf({
    backfillDaysAtOnce: 2,
    chains: {
      BSC: {
        startDate: '2026-10-01',
        confirmations: 20,
        endpointsParameter: '/nodes/bsc',
        evidence: 'checked' as const,
        quorum: 3,
      },
      BASE: { enabled: false },
    },
  }),
);

describe('the template', () => {
  test('applies the stage’s settings of each chain, including its concurrency', () => {
    const { chains } = configured.States['Load the chains'].Assign;
    expect(chains.BSC).toEqual({
      event: {
        job: 'ingest',
        chain: 'BSC',
        startDate: '2026-10-01',
        confirmations: 20,
        evidence: 'checked',
        endpointsParameter: '/nodes/bsc',
        quorum: 3,
      },
      daysAtOnce: 2,
    });
    expect(chains.ETHEREUM.daysAtOnce).toBe(2);
    expect(chains).not.toHaveProperty('BASE');
  });
});

const dates = completeDays.map(({ day }) => day);
const answerWell = answerFrom(sampleBlocks);

/** Time limit of a run, in seconds of its clock. */
const READING_S = 2_850;

interface Given {
  readonly answer?: NodeAnswer;
  readonly machine?: unknown;
  readonly dates?: readonly string[];
  /** Called before each invocation, with the number of earlier ones. Returns the run's time limit in seconds, or throws its error. */
  readonly before?: (invocations: number) => number;
}

/** Runs a backfill against one node. */
async function backfill({
  answer = answerWell,
  machine = definition,
  before = () => READING_S,
  ...given
}: Given) {
  await using node = await startJsonRpcServer(answer);
  await using bus = await startAwsService(() => ACCEPTED);
  Object.assign(process.env, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: table().endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
    [environment.stackId]: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Test/1',
    [environment.tableName]: table().name,
    [environment.metricsNamespace]: 'ChainInsights/test',
    POWERTOOLS_DEV: 'true',
  });
  using _nodes = leadAllTo(node.url);
  const { handler } = await import('#lambda/ingest.ts');
  const { systemClock } = await import('#core/clock.ts');

  const invoked: { readonly date: string | undefined; readonly report?: unknown }[] = [];
  const seen = { invocations: 0, atOnce: 0, mostAtOnce: 0, waits: [] as number[] };
  const world: World = {
    invoke: async (functionName, event) => {
      expect(functionName).toMatch(/^IngestFunction/);
      const readingMs = before(seen.invocations++) * 1_000;
      const getRemainingTimeInMillis = () => systemClock.now() - Date.now() + readingMs + 15_000;
      seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.atOnce);
      const { date } = event as { date?: string };
      try {
        const report = await handler(event, { getRemainingTimeInMillis } as Context);
        invoked.push({ date, report });
        return JSON.parse(JSON.stringify(report));
      } catch (error) {
        invoked.push({ date });
        throw asLambdaError(error);
      } finally {
        seen.atOnce -= 1;
      }
    },
    wait: async (seconds) => {
      seen.waits.push(seconds);
    },
    objects: new Map(),
  };
  const input = { chain: 'ETHEREUM', dates: given.dates ?? dates };
  const ended = await runStateMachine(machine, input, world);
  const failures = [...world.objects].find(([key]) => key.endsWith('FAILED_0.json'))?.[1];
  return { ...seen, ended, invoked, failures };
}

/** Converts an error into the one that Lambda reports. */
function asLambdaError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  return new TaskError(name, JSON.stringify({ errorType: name, errorMessage: message, trace: [] }));
}

test.each([
  ['the newest first', dates.toReversed()],
  ['the earliest first', dates],
])('makes every day final, %s', async (_, given) => {
  const { ended, invocations, waits } = await backfill({ dates: given });
  expect(ended).toEqual({ status: 'SUCCEEDED', output: { chain: 'ETHEREUM', days: 3 } });
  expect(await storedDays(table())).toEqual(completeDays);
  // One for each day, and one that publishes those that wait.
  expect([invocations, waits]).toEqual([4, []]);
});

test('resumes a day that takes longer than one run', async () => {
  let invocation = 0;
  const { ended, invoked } = await backfill({
    dates: [DAY],
    before: (invocations) => {
      invocation = invocations;
      // In the first two, the node stops responding.
      return invocations < 2 ? 800 : READING_S;
    },
    answer: (call) =>
      Number(call.params[0]) === 3 + invocation && invocation < 2 ? { hang: true } : answerWell(call),
  });
  expect(ended).toMatchObject({ status: 'SUCCEEDED' });
  expect(invoked.map(({ report }) => report)).toMatchObject([
    { outcome: 'out of time', final: false },
    { outcome: 'out of time', final: false },
    { outcome: 'up to date', final: false, waiting: true },
    { outcome: 'up to date', days: [DAY] },
  ]);
  expect(await storedDays(table())).toEqual(completeDays.slice(0, 1));
});
