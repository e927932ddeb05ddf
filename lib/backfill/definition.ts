import type { IngestEvent } from '../../lambda/ingest.ts';

/* The backfill in the Amazon States Language (https://states-language.net), with JSONata expressions. */

export interface BackfillInput {
  readonly chain: string;
  /** Days to read, YYYY-MM-DD, the newest first. The whole history of a chain fits into the 256 KiB that AWS allows. */
  readonly dates: readonly string[];
  /** Mirror or bucket of era files to read them from, in place of the nodes. */
  readonly url?: string;
  /** Days to read at once, if fewer than the stage allows. */
  readonly daysAtOnce?: number;
}

/** Settings by chain name. They are part of the machine, so that an input cannot choose nodes or raise the concurrency. */
export type BackfillChains = Readonly<
  Record<string, { readonly event: IngestEvent; readonly daysAtOnce: number }>
>;

interface Resources {
  /** Start of every ARN in this partition, such as `arn:aws`. */
  readonly arn: string;
  readonly functionArn: string;
  readonly bucketName: string;
}

/** Prefix of reports in the bucket. Each map run writes to a folder below it, named by its ID. */
export const REPORTS = 'reports';

/** Attempts without progress after which a day fails, and attempts after which publishing ends. The pauses between them take at least 36 minutes. */
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_S = 10;
const MAX_PAUSE_S = 1_800;
/** Longer than the function's own timeout of five minutes. */
const INVOCATION_TIMEOUT_S = 330;

/** Defines a machine that ingests days of a chain concurrently, publishes those that wait, and fails if any of them failed. */
export const backfillDefinition = (chains: BackfillChains, resources: Resources) => ({
  Comment: 'Ingests days of a chain, each separately and many at once',
  QueryLanguage: 'JSONata',
  StartAt: 'Load the chains',
  States: {
    'Load the chains': { Type: 'Pass', Assign: { chains }, Next: 'Find the chain' },
    'Find the chain': {
      Type: 'Choice',
      Choices: [
        {
          Condition: '{% $exists($lookup($chains, $states.input.chain)) %}',
          Assign: { chain: '{% $lookup($chains, $states.input.chain) %}' },
          Next: 'Ingest the days',
        },
      ],
      Default: 'Reject the chain',
    },
    'Reject the chain': {
      Type: 'Fail',
      Error: 'UnknownChain',
      Cause: "{% 'The input names no chain of this stage, which has ' & $join($keys($chains), ', ') %}",
    },
    'Ingest the days': ingestDays(resources),
    'Count the days': countDays(resources),
    ...publishStates(resources),
    ...outcomeStates,
  },
});

/** The event of the chain, with the place of files if there is one. */
const EVENT =
  "{% $exists($states.input.url) ? $merge([$chain.event, {'url': $states.input.url}]) : $chain.event %}";

const ingestDays = (resources: Resources) => ({
  Type: 'Map',
  Label: 'Days',
  // The brackets keep a single day a list.
  Items: '{% [$states.input.dates] %}',
  // Zero would be no limit.
  MaxConcurrency: '{% $max([1, $floor($min([$chain.daysAtOnce, $states.input.daysAtOnce]))]) %}',
  // A failed day does not stop the others.
  ToleratedFailurePercentage: 100,
  ItemSelector: { event: EVENT, date: '{% $states.context.Map.Item.Value %}' },
  ItemProcessor: {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: 'Begin',
    States: dayStates(resources),
  },
  ResultWriter: {
    Resource: `${resources.arn}:states:::s3:putObject`,
    Arguments: { Bucket: resources.bucketName, Prefix: REPORTS },
  },
  Assign: { report: '{% $states.result.ResultWriterDetails %}' },
  Next: 'Count the days',
});

/** Invokes the ingest for one day until that is final, or waits for the day after it. Variables of the outer machine are not visible here. */
const dayStates = (resources: Resources) => ({
  Begin: {
    Type: 'Pass',
    Assign: {
      event: "{% $merge([$states.input.event, {'job': 'ingest day', 'date': $states.input.date}]) %}",
      stalled: 0,
    },
    Next: 'Ingest',
  },
  Ingest: {
    // Errors that the ingest throws are not retried: a later run cannot repair them, so the day fails with their message.
    ...invocation(resources, '{% $event %}'),
    Assign: {
      report: '{% $states.result.Payload %}',
      // Attempts in a row without progress. A failed run may lose the blocks that it read, so blocks alone are not progress.
      stalled:
        "{% $states.result.Payload.outcome = 'out of time' and $states.result.Payload.blocks > 0 ? 0 : $stalled + 1 %}",
    },
    Next: 'Is it read?',
  },
  'Is it read?': {
    Type: 'Choice',
    Choices: [
      { Condition: '{% $report.final = true or $report.waiting = true %}', Next: 'Read' },
      // An operator must decide, or replace a file: no retry helps.
      { Condition: "{% $report.outcome = 'conflict' or $report.damaged = true %}", Next: 'Give up' },
      { Condition: '{% $stalled = 0 %}', Next: 'Ingest' },
      { Condition: `{% $stalled < ${MAX_ATTEMPTS} %}`, Next: 'Pause' },
    ],
    Default: 'Give up',
  },
  Pause: { Type: 'Wait', Seconds: pauseAfter('$stalled'), Next: 'Ingest' },
  Read: { Type: 'Succeed', Output: '{% $report %}' },
  'Give up': {
    Type: 'Fail',
    Error: 'DayNotFinal',
    Cause:
      "{% $exists($report.reason) ? $report.reason : 'The day is not final yet. The last run ended with: ' & $report.outcome %}",
  },
});

/** Reads the counts of the map run that has just ended. */
const countDays = ({ arn }: Resources) => ({
  Type: 'Task',
  Resource: `${arn}:states:::aws-sdk:sfn:describeMapRun`,
  Arguments: { MapRunArn: '{% $states.input.MapRunArn %}' },
  Retry: [retry(['States.ALL'])],
  Assign: { days: '{% $states.result.ItemCounts %}', attempts: 0 },
  Next: 'Publish the days',
});

/** Publishes the days that wait, until a run succeeds. Its failure must not hide the days that failed. */
const publishStates = (resources: Resources) => ({
  'Publish the days': {
    ...invocation(resources, "{% $merge([$chain.event, {'job': 'publish'}]) %}"),
    Assign: { published: '{% $states.result.Payload %}', attempts: '{% $attempts + 1 %}' },
    Catch: [
      {
        ErrorEquals: ['States.ALL'],
        Assign: { published: { outcome: 'failed', reason: '{% $string($states.errorOutput.Cause) %}' } },
        Next: 'All days read?',
      },
    ],
    Next: 'Published?',
  },
  'Published?': {
    Type: 'Choice',
    Choices: [
      {
        // After a conflict, an operator must decide.
        Condition: `{% $published.outcome in ['up to date', 'conflict'] or $attempts >= ${MAX_ATTEMPTS} %}`,
        Next: 'All days read?',
      },
    ],
    Default: 'Pause before publishing',
  },
  'Pause before publishing': { Type: 'Wait', Seconds: pauseAfter('$attempts'), Next: 'Publish the days' },
});

/** An expression for the number of days that failed, and the report with the reasons. */
const DAYS_FAILED =
  "{% $string($days.Total - $days.Succeeded) & ' of ' & $string($days.Total) & ' days of ' & $chain.event.chain" +
  " & ' failed. Reasons: s3://' & $report.Bucket & '/' & $report.Key %}";

/** Ends a backfill: it succeeds if every day is read and published. */
const outcomeStates = {
  'All days read?': {
    Type: 'Choice',
    Choices: [
      { Condition: '{% $days.Succeeded < $days.Total %}', Next: 'Some days failed' },
      { Condition: "{% $published.outcome = 'up to date' %}", Next: 'All days are read' },
    ],
    Default: 'Publishing failed',
  },
  'All days are read': {
    Type: 'Succeed',
    Output: { chain: '{% $chain.event.chain %}', days: '{% $days.Total %}' },
  },
  'Some days failed': { Type: 'Fail', Error: 'DaysFailed', Cause: DAYS_FAILED },
  'Publishing failed': {
    Type: 'Fail',
    Error: 'DaysWait',
    Cause:
      "{% 'All days of ' & $chain.event.chain & ' are read, but some may wait to be published. Scheduled runs publish them. The reason: '" +
      ' & ($exists($published.reason) ? $published.reason : $published.outcome) %}',
  },
};

/** Returns an expression for exponential backoff with jitter, so that days that failed together do not retry together. */
const pauseAfter = (attempts: string) =>
  `{% $ceil($min([${MAX_PAUSE_S}, ${FIRST_PAUSE_S} * $power(2, ${attempts} - 1)]) * (0.5 + $random() / 2)) %}`;

/** Invokes the ingest, again if Lambda lacked capacity or failed, or if it ended a run early, whose checkpoint holds its work. */
const invocation = ({ arn, functionArn }: Resources, Payload: string) => ({
  Type: 'Task',
  Resource: `${arn}:states:::lambda:invoke`,
  Arguments: { FunctionName: functionArn, Payload },
  TimeoutSeconds: INVOCATION_TIMEOUT_S,
  Retry: [retry([...THROTTLED, ...INTERRUPTED])],
});

/** https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html */
const THROTTLED = [
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];
const INTERRUPTED = [
  'States.Timeout',
  'Sandbox.Timedout',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
  'Lambda.Unknown',
];

const retry = (errors: readonly string[]) => ({
  ErrorEquals: errors,
  IntervalSeconds: 5,
  BackoffRate: 2,
  MaxAttempts: 8,
  MaxDelaySeconds: 300,
  JitterStrategy: 'FULL',
});
