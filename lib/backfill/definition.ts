import type { IngestEvent } from '../../lambda/ingest.ts';
import { dayDefinition, INVOCATION_TIMEOUT_S, publishStates, retry } from './invocations.ts';

/* The backfill in the Amazon States Language (https://states-language.net), with JSONata expressions. */

/** Input of an execution. */
export interface BackfillInput {
  readonly chain: string;
  /** Days to read from nodes, YYYY-MM-DD, the newest first. The whole history of a chain fits into the 256 KiB that AWS allows. */
  readonly dates?: readonly string[];
  /** Era files to prove instead, and the mirror or bucket that has them. */
  readonly files?: readonly string[];
  readonly url?: string;
  /** Days that the files were chosen for, YYYY-MM-DD. Only the command that continues a backfill reads them. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Settings by chain name. They are part of the machine, so that an input cannot choose nodes or concurrency. */
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

/** Defines a machine that ingests days of a chain concurrently, publishes those that wait, and fails if any of them failed. */
export const backfillDefinition = (chains: BackfillChains, { arn, functionArn, bucketName }: Resources) => ({
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
          Next: 'Days or files?',
        },
      ],
      Default: 'Reject the chain',
    },
    'Days or files?': {
      Type: 'Choice',
      Choices: [{ Condition: '{% $exists($states.input.files) %}', Next: 'Prove the files' }],
      Default: 'Ingest the days',
    },
    'Reject the chain': {
      Type: 'Fail',
      Error: 'UnknownChain',
      Cause: "{% 'The input names no chain of this stage, which has ' & $join($keys($chains), ', ') %}",
    },
    'Ingest the days': ingestDays(arn, functionArn, bucketName),
    'Count the days': countDays(arn),
    ...publishStates(arn, functionArn),
    ...outcomeStates,
    ...fileStates(arn, functionArn, bucketName),
  },
});

/** Returns an expression for the number of days or files that failed, and the report with the reasons. */
const failed = (unit: 'days' | 'files') =>
  `{% $string($${unit}.Total - $${unit}.Succeeded) & ' of ' & $string($${unit}.Total) & ' ${unit} of ' & $chain.event.chain` +
  " & ' failed. Reasons: s3://' & $report.Bucket & '/' & $report.Key %}";

/** Ends a backfill of days: it succeeds if every day is read and published. */
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
  'Some days failed': { Type: 'Fail', Error: 'DaysFailed', Cause: failed('days') },
  'Publishing failed': {
    Type: 'Fail',
    Error: 'DaysWait',
    Cause:
      "{% 'All days of ' & $chain.event.chain & ' are read, but some may wait to be published. Scheduled runs publish them. The reason: '" +
      ' & ($exists($published.reason) ? $published.reason : $published.outcome) %}',
  },
};

/** Proves era files, each separately and many at once, and then joins the days that the ends of files cut. */
const fileStates = (arn: string, functionArn: string, bucketName: string) => ({
  'Prove the files': {
    ...mapOf(arn, functionArn, bucketName),
    Label: 'Files',
    Items: '{% [$states.input.files] %}',
    MaxConcurrency: '{% $chain.daysAtOnce %}',
    ItemSelector: {
      event: "{% $merge([$chain.event, {'url': $states.input.url}]) %}",
      file: '{% $states.context.Map.Item.Value %}',
    },
    Next: 'Count the files',
  },
  'Count the files': {
    ...countOf(arn),
    Assign: { files: '{% $states.result.ItemCounts %}' },
    Next: 'Join the files',
  },
  'Join the files': {
    Type: 'Task',
    Resource: `${arn}:states:::lambda:invoke`,
    Arguments: { FunctionName: functionArn, Payload: "{% $merge([$chain.event, {'job': 'join files'}]) %}" },
    TimeoutSeconds: INVOCATION_TIMEOUT_S,
    // Idempotent: days that are final stay as they are.
    Retry: [retry(['States.ALL'])],
    Assign: { joined: '{% $states.result.Payload %}' },
    Next: 'All files proven?',
  },
  'All files proven?': {
    Type: 'Choice',
    Choices: [{ Condition: '{% $files.Succeeded = $files.Total %}', Next: 'All files are proven' }],
    Default: 'Some files failed',
  },
  'All files are proven': {
    Type: 'Succeed',
    Output: { chain: '{% $chain.event.chain %}', files: '{% $files.Total %}', joined: '{% $joined %}' },
  },
  'Some files failed': { Type: 'Fail', Error: 'FilesFailed', Cause: failed('files') },
});

const ingestDays = (arn: string, functionArn: string, bucketName: string) => ({
  ...mapOf(arn, functionArn, bucketName),
  Label: 'Days',
  // The brackets keep a single day a list.
  Items: '{% [$states.input.dates] %}',
  MaxConcurrency: '{% $chain.daysAtOnce %}',
  ItemSelector: { event: '{% $chain.event %}', date: '{% $states.context.Map.Item.Value %}' },
  Next: 'Count the days',
});

/** The members of a distributed map that days and files share. */
const mapOf = (arn: string, functionArn: string, bucketName: string) => ({
  Type: 'Map',
  // A failed day or file does not stop the others.
  ToleratedFailurePercentage: 100,
  ItemProcessor: {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    ...dayDefinition(arn, functionArn),
  },
  ResultWriter: {
    Resource: `${arn}:states:::s3:putObject`,
    Arguments: { Bucket: bucketName, Prefix: REPORTS },
  },
  Assign: { report: '{% $states.result.ResultWriterDetails %}' },
});

const countDays = (arn: string) => ({
  ...countOf(arn),
  Assign: { days: '{% $states.result.ItemCounts %}', attempts: 0 },
  Next: 'Publish the days',
});

/** Reads the counts of the map run that has just ended. */
const countOf = (arn: string) => ({
  Type: 'Task',
  Resource: `${arn}:states:::aws-sdk:sfn:describeMapRun`,
  Arguments: { MapRunArn: '{% $states.input.MapRunArn %}' },
  Retry: [retry(['States.ALL'])],
});
