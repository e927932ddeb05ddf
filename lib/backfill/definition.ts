import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  Choice,
  Condition,
  DistributedMap,
  Fail,
  type IChainable,
  JitterType,
  Pass,
  ProvideItems,
  QueryLanguage,
  ResultWriterV2,
  StateGraph,
  Succeed,
  TaskInput,
  Timeout,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { CallAwsService, LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import type { IngestEvent } from '../../lambda/ingest.ts';
import { REPORTS } from './input.ts';

/** Settings by chain name. They are part of the machine, so that an input cannot choose nodes or raise the concurrency. */
export type BackfillChains = Readonly<
  Record<string, { readonly event: IngestEvent; readonly daysAtOnce: number }>
>;

interface Resources {
  readonly ingest: IFunction;
  readonly bucketName: string;
}

/** Attempts without progress after which a day fails, and attempts after which publishing ends. The pauses between them take at least 36 minutes. */
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_S = 10;
const MAX_PAUSE_S = 1_800;

/** Defines a machine that ingests days of a chain concurrently, publishes those that wait, and fails if any of them failed. */
export function backfillDefinition(scope: Construct, chains: BackfillChains, resources: Resources): object {
  const backfill = ingestDays(scope, resources)
    .next(countDays(scope))
    .next(publishDays(scope, resources, outcome(scope)));
  const reject = Fail.jsonata(scope, 'Reject the chain', {
    error: 'UnknownChain',
    cause: "{% 'The input names no chain of this stage, which has ' & $join($keys($chains), ', ') %}",
  });
  const find = Choice.jsonata(scope, 'Find the chain')
    .when(Condition.jsonata('{% $exists($lookup($chains, $states.input.chain)) %}'), backfill, {
      assign: { chain: '{% $lookup($chains, $states.input.chain) %}' },
    })
    .otherwise(reject);
  const { startState } = Pass.jsonata(scope, 'Load the chains', { assign: { chains } }).next(find);
  return {
    Comment: 'Ingests days of a chain, each separately and many at once',
    QueryLanguage: QueryLanguage.JSONATA,
    // Without the rights that CDK derives from the states: they include all objects of the bucket, and all versions of the function.
    ...new StateGraph(startState, 'Backfill').toGraphJson(QueryLanguage.JSONATA),
  };
}

/** The event of the chain, with the place of files if there is one. */
const EVENT =
  "{% $exists($states.input.url) ? $merge([$chain.event, {'url': $states.input.url}]) : $chain.event %}";

function ingestDays(scope: Construct, resources: Resources) {
  // TypeScript does not accept a Bucket as an IBucket with exactOptionalPropertyTypes.
  const bucket = Bucket.fromBucketName(scope, 'ReportsBucket', resources.bucketName);
  return DistributedMap.jsonata(scope, 'Ingest the days', {
    label: 'Days',
    // The brackets keep a single day a list.
    items: ProvideItems.jsonata('{% [$states.input.dates] %}'),
    // Zero would be no limit.
    jsonataMaxConcurrency: '{% $max([1, $floor($min([$chain.daysAtOnce, $states.input.daysAtOnce]))]) %}',
    // A failed day does not stop the others.
    toleratedFailurePercentage: 100,
    itemSelector: { event: EVENT, date: '{% $states.context.Map.Item.Value %}' },
    resultWriterV2: new ResultWriterV2({ bucket, prefix: REPORTS }),
    assign: { report: '{% $states.result.ResultWriterDetails %}' },
  }).itemProcessor(ingestDay(scope, resources));
}

/** Invokes the ingest for one day until that is final, or waits for the day after it. Variables of the outer machine are not visible here. */
function ingestDay(scope: Construct, { ingest }: Resources) {
  const begin = Pass.jsonata(scope, 'Begin', {
    assign: {
      event: "{% $merge([$states.input.event, {'job': 'ingest day', 'date': $states.input.date}]) %}",
      stalled: 0,
    },
  });
  // Errors that the ingest throws are not retried: a later run cannot repair them, so the day fails with their message.
  const attempt = invoke(scope, 'Ingest', ingest, '{% $event %}', {
    report: '{% $states.result.Payload %}',
    // Attempts in a row without progress. A failed run may lose the blocks that it read, so blocks alone are not progress.
    stalled:
      "{% $states.result.Payload.outcome = 'out of time' and $states.result.Payload.blocks > 0 ? 0 : $stalled + 1 %}",
  });
  const read = Succeed.jsonata(scope, 'Read', { outputs: '{% $report %}' });
  const giveUp = Fail.jsonata(scope, 'Give up', {
    error: 'DayNotFinal',
    cause:
      "{% $exists($report.reason) ? $report.reason : 'The day is not final yet. The last run ended with: ' & $report.outcome %}",
  });
  const isRead = Choice.jsonata(scope, 'Is it read?')
    .when(Condition.jsonata('{% $report.final = true or $report.waiting = true %}'), read)
    // An operator must decide, or replace a file: no retry helps.
    .when(Condition.jsonata("{% $report.outcome = 'conflict' or $report.damaged = true %}"), giveUp)
    .when(Condition.jsonata('{% $stalled = 0 %}'), attempt)
    .when(
      Condition.jsonata(`{% $stalled < ${MAX_ATTEMPTS} %}`),
      pause(scope, 'Pause', '$stalled').next(attempt),
    )
    .otherwise(giveUp);
  return begin.next(attempt).next(isRead);
}

/** Reads the counts of the map run that has just ended. */
const countDays = (scope: Construct) =>
  CallAwsService.jsonata(scope, 'Count the days', {
    service: 'sfn',
    action: 'describeMapRun',
    parameters: { MapRunArn: '{% $states.input.MapRunArn %}' },
    // The role names them (backfill.ts).
    iamResources: [],
    assign: { days: '{% $states.result.ItemCounts %}', attempts: 0 },
  }).addRetry(RETRY);

/** Publishes the days that wait, until a run succeeds. Its failure must not hide the days that failed. */
function publishDays(scope: Construct, { ingest }: Resources, end: IChainable) {
  const publish = invoke(
    scope,
    'Publish the days',
    ingest,
    "{% $merge([$chain.event, {'job': 'publish'}]) %}",
    { published: '{% $states.result.Payload %}', attempts: '{% $attempts + 1 %}' },
  ).addCatch(end, {
    assign: { published: { outcome: 'failed', reason: '{% $string($states.errorOutput.Cause) %}' } },
  });
  // After a conflict, an operator must decide.
  const ended = `{% $published.outcome in ['up to date', 'conflict'] or $attempts >= ${MAX_ATTEMPTS} %}`;
  return publish.next(
    Choice.jsonata(scope, 'Published?')
      .when(Condition.jsonata(ended), end)
      .otherwise(pause(scope, 'Pause before publishing', '$attempts').next(publish)),
  );
}

/** An expression for the number of days that failed, and the report with the reasons. */
const DAYS_FAILED =
  "{% $string($days.Total - $days.Succeeded) & ' of ' & $string($days.Total) & ' days of ' & $chain.event.chain" +
  " & ' failed. Reasons: s3://' & $report.Bucket & '/' & $report.Key %}";

/** Ends a backfill: it succeeds if every day is read and published. */
const outcome = (scope: Construct) =>
  Choice.jsonata(scope, 'All days read?')
    .when(
      Condition.jsonata('{% $days.Succeeded < $days.Total %}'),
      Fail.jsonata(scope, 'Some days failed', { error: 'DaysFailed', cause: DAYS_FAILED }),
    )
    .when(
      Condition.jsonata("{% $published.outcome = 'up to date' %}"),
      Succeed.jsonata(scope, 'All days are read', {
        outputs: { chain: '{% $chain.event.chain %}', days: '{% $days.Total %}' },
      }),
    )
    .otherwise(
      Fail.jsonata(scope, 'Publishing failed', {
        error: 'DaysWait',
        cause:
          "{% 'All days of ' & $chain.event.chain & ' are read, but some may wait to be published. Scheduled runs publish them. The reason: '" +
          ' & ($exists($published.reason) ? $published.reason : $published.outcome) %}',
      }),
    );

/** Pauses with exponential backoff and jitter, so that days that failed together do not retry together. */
const pause = (scope: Construct, id: string, attempts: string) =>
  Wait.jsonata(scope, id, {
    time: WaitTime.seconds(
      `{% $ceil($min([${MAX_PAUSE_S}, ${FIRST_PAUSE_S} * $power(2, ${attempts} - 1)]) * (0.5 + $random() / 2)) %}`,
    ),
  });

const RETRY = {
  interval: Duration.seconds(5),
  backoffRate: 2,
  maxAttempts: 8,
  maxDelay: Duration.minutes(5),
  jitterStrategy: JitterType.FULL,
};

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

/** Invokes the ingest, again if Lambda lacked capacity or failed, or if it ended a run early, whose checkpoint holds its work. */
const invoke = (
  scope: Construct,
  id: string,
  lambdaFunction: IFunction,
  payload: string,
  assign: Readonly<Record<string, string>>,
) =>
  LambdaInvoke.jsonata(scope, id, {
    lambdaFunction,
    payload: TaskInput.fromText(payload),
    // Longer than the function's own timeout of five minutes.
    taskTimeout: Timeout.duration(Duration.seconds(330)),
    retryOnServiceExceptions: false,
    assign,
  }).addRetry({ ...RETRY, errors: [...THROTTLED, ...INTERRUPTED] });
