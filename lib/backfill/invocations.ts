/* Invocations of the ingest by the backfill, in the Amazon States Language. */

/** Attempts without progress after which a day fails, and attempts after which publishing ends. The pauses between them take at least 36 minutes. */
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_S = 10;
const MAX_PAUSE_S = 1_800;
/** Longer than the function's own timeout of five minutes. */
const INVOCATION_TIMEOUT_S = 330;

/** Publishes the days that wait, until a run succeeds. Its failure must not hide the days that failed. */
export const publishStates = (arn: string, functionArn: string) => ({
  'Publish the days': {
    Type: 'Task',
    Resource: `${arn}:states:::lambda:invoke`,
    Arguments: { FunctionName: functionArn, Payload: "{% $merge([$chain.event, {'job': 'publish'}]) %}" },
    TimeoutSeconds: INVOCATION_TIMEOUT_S,
    Retry: [retry([...THROTTLED, ...INTERRUPTED])],
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

/** Returns an expression for exponential backoff with jitter, so that days that failed together do not retry together. */
const pauseAfter = (attempts: string) =>
  `{% $ceil($min([${MAX_PAUSE_S}, ${FIRST_PAUSE_S} * $power(2, ${attempts} - 1)]) * (0.5 + $random() / 2)) %}`;

/** Invokes the ingest for one day until that is final, or waits for the day after it. Variables of the outer machine are not visible here. */
export const dayDefinition = (arn: string, functionArn: string) => ({
  StartAt: 'Begin',
  States: {
    Begin: {
      Type: 'Pass',
      Assign: {
        event: "{% $merge([$states.input.event, {'job': 'ingest day', 'date': $states.input.date}]) %}",
        stalled: 0,
      },
      Next: 'Ingest',
    },
    Ingest: ingestDay(arn, functionArn),
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
  },
});

const ingestDay = (arn: string, functionArn: string) => ({
  Type: 'Task',
  Resource: `${arn}:states:::lambda:invoke`,
  Arguments: { FunctionName: functionArn, Payload: '{% $event %}' },
  TimeoutSeconds: INVOCATION_TIMEOUT_S,
  // Errors that the ingest throws are absent: a later run cannot repair them, so the day fails with their message.
  Retry: [retry([...THROTTLED, ...INTERRUPTED])],
  Assign: {
    report: '{% $states.result.Payload %}',
    // Attempts in a row without progress. A failed run may lose the blocks that it read, so blocks alone are no progress.
    stalled:
      "{% $states.result.Payload.outcome = 'out of time' and $states.result.Payload.blocks > 0 ? 0 : $stalled + 1 %}",
  },
  Next: 'Is it read?',
});

/** Lambda lacked capacity or failed: https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html */
const THROTTLED = [
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];

/** Lambda ended the run early. The checkpoint holds its work. */
const INTERRUPTED = [
  'States.Timeout',
  'Sandbox.Timedout',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
  'Lambda.Unknown',
];

export const retry = (errors: readonly string[]) => ({
  ErrorEquals: errors,
  IntervalSeconds: 5,
  BackoffRate: 2,
  MaxAttempts: 8,
  MaxDelaySeconds: 300,
  JitterStrategy: 'FULL',
});
