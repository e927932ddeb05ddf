import type { IngestEvent } from '../../lambda/ingest.ts';

/* What the backfill does, in the Amazon States Language: https://states-language.net, with expressions in JSONata. */

/** What an execution is started with. */
export interface BackfillInput {
  readonly chain: string;
  /** Days, YYYY-MM-DD. All days that a chain has had fit into the 256 KiB that AWS allows. */
  readonly dates: readonly string[];
}

/** What the machine knows of each chain, by its name; so an input cannot choose other nodes or more days at once. */
export type BackfillChains = Readonly<Record<string, BackfillChain>>;

interface BackfillChain {
  readonly event: IngestEvent;
  readonly daysAtOnce: number;
}

interface Places {
  /** What the ARNs of this partition begin with, such as `arn:aws`. */
  readonly arn: string;
  readonly functionArn: string;
  readonly bucketName: string;
}

/** In the bucket each map run writes to a folder of its own below this one, named by its ID. */
export const REPORTS = 'reports';

/** How often in a row a day may be tried without getting on. With the pauses that is an hour at least. */
const TRIES = 10;
const FIRST_PAUSE_S = 10;
const LONGEST_PAUSE_S = 1_800;
/** The function ends after five minutes itself. */
const INVOCATION_TIMEOUT_S = 330;

/** Reads each of some days of a chain, many at once, and fails when one of them could not be read. */
export const backfillDefinition = (chains: BackfillChains, { arn, functionArn, bucketName }: Places) => ({
  Comment: 'Ingests days of a chain, each by itself and many at once',
  QueryLanguage: 'JSONata',
  StartAt: 'Know the chains',
  States: {
    'Know the chains': { Type: 'Pass', Assign: { chains }, Next: 'Find the chain' },
    'Find the chain': {
      Type: 'Choice',
      Choices: [
        {
          Condition: '{% $exists($lookup($chains, $states.input.chain)) %}',
          Assign: { chain: '{% $lookup($chains, $states.input.chain) %}' },
          Next: 'Read the days',
        },
      ],
      Default: 'Refuse the chain',
    },
    'Refuse the chain': {
      Type: 'Fail',
      Error: 'UnknownChain',
      Cause: "{% 'The input names no chain of this stage; it has ' & $join($keys($chains), ', ') %}",
    },
    'Read the days': {
      Type: 'Map',
      Label: 'Days',
      // A list even if it is of one day.
      Items: '{% [$states.input.dates] %}',
      MaxConcurrency: '{% $chain.daysAtOnce %}',
      // A day that fails stops no other.
      ToleratedFailurePercentage: 100,
      ItemSelector: { event: '{% $chain.event %}', date: '{% $states.context.Map.Item.Value %}' },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        ...dayDefinition(arn, functionArn),
      },
      ResultWriter: {
        Resource: `${arn}:states:::s3:putObject`,
        Arguments: { Bucket: bucketName, Prefix: REPORTS },
      },
      Assign: { report: '{% $states.result.ResultWriterDetails %}' },
      Next: 'Count the days',
    },
    'Count the days': {
      Type: 'Task',
      Resource: `${arn}:states:::aws-sdk:sfn:describeMapRun`,
      Arguments: { MapRunArn: '{% $states.input.MapRunArn %}' },
      Retry: [retry(['States.ALL'])],
      Assign: { days: '{% $states.result.ItemCounts %}' },
      Next: 'Is every day final?',
    },
    'Is every day final?': {
      Type: 'Choice',
      Choices: [{ Condition: '{% $days.Succeeded = $days.Total %}', Next: 'Every day is final' }],
      Default: 'Some days failed',
    },
    'Every day is final': {
      Type: 'Succeed',
      Output: { chain: '{% $chain.event.chain %}', days: '{% $days.Total %}' },
    },
    'Some days failed': {
      Type: 'Fail',
      Error: 'DaysFailed',
      Cause:
        "{% $string($days.Total - $days.Succeeded) & ' of ' & $string($days.Total) & ' days of ' & $chain.event.chain" +
        " & ' failed. Why: s3://' & $report.Bucket & '/' & $report.Key %}",
    },
  },
});

/** Runs the ingest for one day until that is final. Its variables are its own: those of the machine cannot be seen here. */
const dayDefinition = (arn: string, functionArn: string) => ({
  StartAt: 'Begin',
  States: {
    Begin: {
      Type: 'Pass',
      Assign: { event: "{% $merge([$states.input.event, {'date': $states.input.date}]) %}", inVain: 0 },
      Next: 'Ingest',
    },
    Ingest: {
      Type: 'Task',
      Resource: `${arn}:states:::lambda:invoke`,
      Arguments: { FunctionName: functionArn, Payload: '{% $event %}' },
      TimeoutSeconds: INVOCATION_TIMEOUT_S,
      // What the ingest itself throws is not among these: no later run mends that, and the day fails with its message.
      Retry: [retry([...THROTTLED, ...BROKEN_OFF])],
      Assign: {
        report: '{% $states.result.Payload %}',
        // A run that failed may have lost what it read, so blocks alone are no sign that the day gets on.
        inVain:
          "{% $states.result.Payload.outcome = 'out of time' and $states.result.Payload.blocks > 0 ? 0 : $inVain + 1 %}",
      },
      Next: 'Is it final?',
    },
    'Is it final?': {
      Type: 'Choice',
      Choices: [
        { Condition: '{% $report.final = true %}', Next: 'Final' },
        { Condition: '{% $inVain = 0 %}', Next: 'Ingest' },
        { Condition: `{% $inVain < ${TRIES} %}`, Next: 'Pause' },
      ],
      Default: 'Give up',
    },
    Pause: {
      Type: 'Wait',
      // With jitter, since days that failed together need not come back together.
      Seconds: `{% $ceil($min([${LONGEST_PAUSE_S}, ${FIRST_PAUSE_S} * $power(2, $inVain - 1)]) * (0.5 + $random() / 2)) %}`,
      Next: 'Ingest',
    },
    Final: { Type: 'Succeed', Output: '{% $report %}' },
    'Give up': {
      Type: 'Fail',
      Error: 'DayNotFinal',
      Cause:
        "{% $exists($report.reason) ? $report.reason : 'the day is not final yet, and the last run ended with: ' & $report.outcome %}",
    },
  },
});

/** Lambda had no room, or a fault: https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html */
const THROTTLED = [
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];

/** The run was ended from outside: by its time, its memory or its machine. What it read is in the checkpoint. */
const BROKEN_OFF = [
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
