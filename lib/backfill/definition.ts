import type { IngestEvent } from '../../lambda/ingest.ts';
import { dayDefinition, publishStates, retry } from './invocations.ts';

/* The backfill in the Amazon States Language (https://states-language.net), with JSONata expressions. */

/** Input of an execution. */
export interface BackfillInput {
  readonly chain: string;
  /** Days to read, YYYY-MM-DD, the newest first. The whole history of a chain fits into the 256 KiB that AWS allows. */
  readonly dates: readonly string[];
  /** Mirror or bucket of era files to read them from, in place of the nodes. */
  readonly url?: string;
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
    'Ingest the days': ingestDays(arn, functionArn, bucketName),
    'Count the days': countDays(arn),
    ...publishStates(arn, functionArn),
    ...outcomeStates,
  },
});

/** Returns an expression for the number of days that failed, and the report with the reasons. */
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

/** The event of the chain, with the place of files if there is one. */
const EVENT =
  "{% $exists($states.input.url) ? $merge([$chain.event, {'url': $states.input.url}]) : $chain.event %}";

const ingestDays = (arn: string, functionArn: string, bucketName: string) => ({
  Type: 'Map',
  Label: 'Days',
  // The brackets keep a single day a list.
  Items: '{% [$states.input.dates] %}',
  MaxConcurrency: '{% $chain.daysAtOnce %}',
  // A failed day does not stop the others.
  ToleratedFailurePercentage: 100,
  ItemSelector: { event: EVENT, date: '{% $states.context.Map.Item.Value %}' },
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
});

/** Reads the counts of the map run that has just ended. */
const countDays = (arn: string) => ({
  Type: 'Task',
  Resource: `${arn}:states:::aws-sdk:sfn:describeMapRun`,
  Arguments: { MapRunArn: '{% $states.input.MapRunArn %}' },
  Retry: [retry(['States.ALL'])],
  Assign: { days: '{% $states.result.ItemCounts %}', attempts: 0 },
  Next: 'Publish the days',
});
