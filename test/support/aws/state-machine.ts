import jsonata from 'jsonata';
import pLimit from 'p-limit';
import * as z from 'zod';

/*
 * Interprets the part of the Amazon States Language that our state machines use (https://states-language.net), with JSONata and a
 * distributed map. It rejects all else, so that a definition with other features fails a test.
 */

/** An error with its name in the state machine. */
export class TaskError extends Error {
  override readonly name: string;

  constructor(name: string, cause: string) {
    super(cause);
    this.name = name;
  }
}

/** The side effects of a state machine. */
export interface World {
  /** Invokes a function and returns its result. @throws TaskError */
  readonly invoke: (functionName: string, payload: unknown) => Promise<unknown>;
  /** Waits, also before a retry. */
  readonly wait: (seconds: number) => Promise<void>;
  /** The objects that were written, by `bucket/key`. */
  readonly objects: Map<string, unknown>;
}

export type Ended =
  | { readonly status: 'SUCCEEDED'; readonly output: unknown }
  | { readonly status: 'FAILED'; readonly error: string; readonly cause: string };

const template = z.unknown();
const assign = z.record(z.string(), template).optional();
const next = z.string();
/** CDK repeats it in the states of a map. */
const language = z.literal('JSONata').optional();
const retrySchema = z.strictObject({
  ErrorEquals: z.array(z.string()),
  IntervalSeconds: z.int(),
  BackoffRate: z.number(),
  MaxAttempts: z.int(),
  MaxDelaySeconds: z.int(),
  JitterStrategy: z.enum(['FULL', 'NONE']),
});

const dayStates = [
  z.strictObject({ Type: z.literal('Pass'), QueryLanguage: language, Assign: assign, Next: next }),
  z.strictObject({
    Type: z.literal('Choice'),
    QueryLanguage: language,
    Choices: z.array(z.strictObject({ Condition: z.string(), Assign: assign, Next: next })),
    Default: next,
  }),
  z.strictObject({ Type: z.literal('Wait'), QueryLanguage: language, Seconds: template, Next: next }),
  z.strictObject({
    Type: z.literal('Task'),
    QueryLanguage: language,
    Resource: z.string(),
    Arguments: template,
    TimeoutSeconds: z.int().optional(),
    Retry: z.array(retrySchema).default([]),
    Catch: z
      .array(z.strictObject({ ErrorEquals: z.tuple([z.literal('States.ALL')]), Assign: assign, Next: next }))
      .max(1)
      .default([]),
    Assign: assign,
    Next: next,
  }),
  z.strictObject({ Type: z.literal('Succeed'), QueryLanguage: language, Output: template }),
  z.strictObject({ Type: z.literal('Fail'), QueryLanguage: language, Error: template, Cause: template }),
] as const;

const childSchema = z.strictObject({
  ProcessorConfig: z.strictObject({ Mode: z.literal('DISTRIBUTED'), ExecutionType: z.literal('STANDARD') }),
  StartAt: z.string(),
  States: z.record(z.string(), z.discriminatedUnion('Type', dayStates)),
});

const mapSchema = z.strictObject({
  Type: z.literal('Map'),
  Label: z.string().max(40),
  Items: template,
  MaxConcurrency: template,
  ToleratedFailurePercentage: z.literal(100),
  ItemSelector: template,
  ItemProcessor: childSchema,
  ResultWriter: z.strictObject({
    Resource: z.string().endsWith(':states:::s3:putObject'),
    Arguments: z.strictObject({ Bucket: z.string(), Prefix: z.string() }),
  }),
  Assign: assign,
  Next: next,
});

const machineSchema = z.strictObject({
  Comment: z.string().optional(),
  QueryLanguage: z.literal('JSONata'),
  StartAt: z.string(),
  States: z.record(z.string(), z.discriminatedUnion('Type', [...dayStates, mapSchema])),
});

type State = z.output<typeof machineSchema>['States'][string];
type Of<Type extends State['Type']> = Extract<State, { Type: Type }>;
type Variables = Readonly<Record<string, unknown>>;

/** The context object of expressions. */
interface Seen {
  readonly input: unknown;
  readonly result?: unknown;
  readonly errorOutput?: unknown;
  readonly context: unknown;
}

/** Runs a definition to its end. */
export const runStateMachine = (definition: unknown, input: unknown, world: World): Promise<Ended> =>
  run(machineSchema.parse(definition), input, world);

async function run(
  { StartAt, States }: { StartAt: string; States: Readonly<Record<string, State>> },
  input: unknown,
  world: World,
): Promise<Ended> {
  let at = { name: StartAt, input, variables: {} as Variables };
  try {
    for (;;) {
      const state = States[at.name];
      if (!state) throw new Error(`there is no state ${at.name}`);
      const seen = { input: at.input, context: { Execution: { Input: input } } };
      if (state.Type === 'Succeed') {
        return { status: 'SUCCEEDED', output: await evaluate(state.Output, seen, at.variables) };
      }
      if (state.Type === 'Fail') {
        const scripted = { error: state.Error, cause: state.Cause };
        return { status: 'FAILED', ...failSchema.parse(await evaluate(scripted, seen, at.variables)) };
      }
      const { to, assigned, result, errorOutput } = await step(state, seen, at.variables, world);
      // All assignments use the values from before.
      const values = await evaluate(assigned, { ...seen, result, errorOutput }, at.variables);
      const variables = { ...at.variables, ...z.record(z.string(), z.unknown()).parse(values) };
      at = { name: to, input: result ?? at.input, variables };
    }
  } catch (error) {
    if (error instanceof TaskError) return { status: 'FAILED', error: error.name, cause: error.message };
    throw error;
  }
}

const failSchema = z.object({ error: z.string(), cause: z.string() });

interface Step {
  readonly to: string;
  readonly assigned: unknown;
  readonly result?: unknown;
  /** The error that a state caught. */
  readonly errorOutput?: unknown;
}

async function step(
  state: Exclude<State, Of<'Succeed'> | Of<'Fail'>>,
  seen: Seen,
  variables: Variables,
  world: World,
): Promise<Step> {
  switch (state.Type) {
    case 'Pass':
      return { to: state.Next, assigned: state.Assign ?? {} };
    case 'Choice':
      return choose(state, seen, variables);
    case 'Wait':
      await world.wait(
        z
          .int()
          .min(0)
          .parse(await evaluate(state.Seconds, seen, variables)),
      );
      return { to: state.Next, assigned: {} };
    case 'Task': {
      const given = await evaluate(state.Arguments, seen, variables);
      try {
        const result = await withRetries(state.Retry, world, () => perform(state.Resource, given, world));
        return { to: state.Next, assigned: state.Assign ?? {}, result };
      } catch (error) {
        const [catcher] = state.Catch;
        if (!catcher || !(error instanceof TaskError)) throw error;
        const errorOutput = { Error: error.name, Cause: error.message };
        return { to: catcher.Next, assigned: catcher.Assign ?? {}, errorOutput };
      }
    }
    case 'Map':
      return {
        to: state.Next,
        assigned: state.Assign ?? {},
        result: await map(state, seen, variables, world),
      };
  }
}

async function choose({ Choices, Default }: Of<'Choice'>, seen: Seen, variables: Variables): Promise<Step> {
  for (const { Condition, Assign = {}, Next } of Choices) {
    const holds = z.boolean().parse(await evaluate(Condition, seen, variables));
    if (holds) return { to: Next, assigned: Assign };
  }
  return { to: Default, assigned: {} };
}

const invokeSchema = z.strictObject({ FunctionName: z.string(), Payload: z.unknown() });
const describeSchema = z.strictObject({ MapRunArn: z.string() });

async function perform(resource: string, given: unknown, world: World): Promise<unknown> {
  if (resource.endsWith(':states:::lambda:invoke')) {
    const { FunctionName, Payload } = invokeSchema.parse(given);
    return { StatusCode: 200, Payload: await world.invoke(FunctionName, Payload) };
  }
  if (resource.endsWith(':states:::aws-sdk:sfn:describeMapRun')) {
    return world.objects.get(describeSchema.parse(given).MapRunArn);
  }
  throw new Error(`there is no implementation of ${resource}`);
}

async function withRetries<T>(
  retriers: Of<'Task'>['Retry'],
  world: World,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      const retrier = retriers.find(({ ErrorEquals }) =>
        ErrorEquals.some((name) => name === error.name || name === 'States.ALL'),
      );
      if (!retrier || attempt >= retrier.MaxAttempts) throw error;
      const pause = retrier.IntervalSeconds * retrier.BackoffRate ** attempt;
      await world.wait(Math.min(pause, retrier.MaxDelaySeconds));
    }
  }
}

let mapRuns = 0;

/** Runs each item separately and writes the results like Step Functions. */
async function map(state: Of<'Map'>, seen: Seen, variables: Variables, world: World): Promise<unknown> {
  const items = z.array(z.unknown()).parse(await evaluate(state.Items, seen, variables));
  const limit = pLimit(
    z
      .int()
      .min(1)
      .parse(await evaluate(state.MaxConcurrency, seen, variables)),
  );
  const children = await Promise.all(
    items.map((Value, Index) =>
      limit(async () => {
        const context = { Map: { Item: { Index, Value } } };
        const input = await evaluate(state.ItemSelector, { ...seen, context }, variables);
        return { input, ended: await run(state.ItemProcessor, input, world) };
      }),
    ),
  );
  const id = `run-${++mapRuns}`;
  const mapRunArn = `arn:aws:states:us-east-1:111122223333:mapRun:Machine/${state.Label}:${id}`;
  const count = (status: Ended['status']) => children.filter(({ ended }) => ended.status === status).length;
  const ItemCounts = { Total: items.length, Succeeded: count('SUCCEEDED'), Failed: count('FAILED') };
  world.objects.set(mapRunArn, { MapRunArn: mapRunArn, ItemCounts });
  const { Bucket, Prefix } = state.ResultWriter.Arguments;
  const files = (status: Ended['status']) => {
    const found = children.filter(({ ended }) => ended.status === status);
    if (found.length === 0) return [];
    const Key = `${Prefix}/${id}/${status}_0.json`;
    world.objects.set(`${Bucket}/${Key}`, found.map(recordOf));
    return [{ Key, Size: 1 }];
  };
  const ResultFiles = { FAILED: files('FAILED'), PENDING: [], SUCCEEDED: files('SUCCEEDED') };
  const Key = `${Prefix}/${id}/manifest.json`;
  world.objects.set(`${Bucket}/${Key}`, { DestinationBucket: Bucket, MapRunArn: mapRunArn, ResultFiles });
  return { MapRunArn: mapRunArn, ResultWriterDetails: { Bucket, Key } };
}

const recordOf = ({ input, ended }: { readonly input: unknown; readonly ended: Ended }) => ({
  Input: JSON.stringify(input),
  Status: ended.status,
  ...(ended.status === 'FAILED'
    ? { Error: ended.error, Cause: ended.cause }
    : { Output: JSON.stringify(ended.output) }),
});

/** Evaluates every string in `{% %}`. An expression without a result is an error, as in Step Functions. */
async function evaluate(value: unknown, states: Seen, variables: Variables): Promise<unknown> {
  if (typeof value === 'string') {
    const expression = /^\{%(.*)%\}$/s.exec(value)?.[1];
    if (expression === undefined) return value;
    const found = await jsonata(expression).evaluate({}, { ...variables, states });
    if (found === undefined)
      throw new TaskError('States.QueryEvaluationError', `${expression} has no result`);
    // Removes the properties that JSONata adds to arrays.
    return JSON.parse(JSON.stringify(found));
  }
  if (Array.isArray(value)) return Promise.all(value.map((part) => evaluate(part, states, variables)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, part]) => [
    name,
    await evaluate(part, states, variables),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}
