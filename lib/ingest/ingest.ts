import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { EVENT_SOURCE, eventTypes } from '../../core/events/day-events.ts';
import { acknowledgeWildcards } from '../acknowledge.ts';
import { arnOf, bucketArn } from '../arns.ts';
import type { Config } from '../config.ts';
import { deadLetterQueue } from '../encrypted-resources.ts';
import { output } from '../output.ts';
import { createSchedules } from '../schedules.ts';
import { ServiceFunction } from '../service-function.ts';
import { ingestEventOf } from './event.ts';

interface Props {
  readonly table: TableV2;
  readonly config: Config;
}

export class Ingest extends Construct {
  readonly ingest: ServiceFunction;
  /** Runs that ended without a report, as by a crash or too little memory, and those that could not start. */
  readonly lostRuns: Queue;

  constructor(parent: Construct, id: string, { table, config }: Props) {
    super(parent, id);
    this.lostRuns = deadLetterQueue(this, 'LostRuns', config);
    this.ingest = new ServiceFunction(this, 'Ingest', {
      entry: 'ingest',
      description: 'Reads, validates and sums finalized blocks, and publishes complete days',
      table,
      // A transaction needs the rights of its parts.
      tableActions: [
        'dynamodb:GetItem',
        'dynamodb:Query',
        'dynamodb:PutItem',
        'dynamodb:DeleteItem',
        'dynamodb:ConditionCheckItem',
      ],
      variables: { metricsNamespace: Stack.of(this).stackName, stackId: Stack.of(this).stackId },
      // Large responses are decoded as they arrive. Runs were measured to need less than 600 MB, and a hostile answer 0.7 GB.
      memorySize: 736,
      // Long compared with resuming a checkpoint, and short enough that a crash loses little work.
      timeout: Duration.minutes(5),
      // No retries: the next scheduled run resumes from the checkpoint.
      retryAttempts: 0,
      maxEventAge: Duration.minutes(5),
      lostRuns: this.lostRuns,
      network: config.vpc,
      config,
    });
    this.ingest.allow(
      eventStatement(this),
      ...endpointStatements(this, this.ingest.role, config),
      ...eraStatements(this.ingest.role, config),
    );
    const { functionName } = this.ingest.function;
    output(this, 'IngestFunctionName', functionName, 'Function to invoke for a manual ingest');
    output(
      this,
      'LostRunsQueueUrl',
      this.lostRuns.queueUrl,
      'Queue of runs that failed without a report or did not start',
    );
    if (config.eraBucket)
      output(this, 'EraBucketName', config.eraBucket, 'Bucket with era files for backfills');
    const planned = config.chains.map((chain) => [chain.name, scheduleOf(chain)] as const);
    const scope = new Construct(this, 'Schedules');
    createSchedules(scope, this.ingest.function, this.lostRuns, config, Object.fromEntries(planned));
  }
}

/** Between the starts of two runs. A run takes almost as long at most. Alarms need two runs in half an hour. */
const EVERY = Duration.minutes(5);

/** Each chain has a schedule of its own, so that a slow one delays no other. */
const scheduleOf = (chain: Config['chains'][number]) => ({
  description: `Ingests ${chain.name}`,
  schedule: ScheduleExpression.rate(EVERY),
  input: ScheduleTargetInput.fromObject(ingestEventOf(chain)),
  // Retries an invocation until the next one is due.
  maxEventAge: EVERY,
  retryAttempts: 3,
});

/**
 * Allows putting the events of days on the default bus, and no others:
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-example-policy-cross-account-custom-bus-source.html
 */
const eventStatement = (scope: Construct) =>
  new PolicyStatement({
    actions: ['events:PutEvents'],
    resources: [arnOf(scope, 'events', 'event-bus', 'default')],
    conditions: {
      'ForAllValues:StringEquals': { 'events:source': EVENT_SOURCE },
      StringEquals: { 'events:detail-type': eventTypes },
    },
  });

/** Allows reading the configured parameters with node URLs, and no others. */
function endpointStatements(scope: Construct, role: IRole, { chains }: Config): PolicyStatement[] {
  const names = chains.flatMap(({ endpointsParameter }) => endpointsParameter ?? []);
  if (names.length === 0) return [];
  const parameters = [...new Set(names)].map((name) => arnOf(scope, 'ssm', 'parameter', name.slice(1)));
  const read = new PolicyStatement({ actions: ['ssm:GetParameter'], resources: parameters });
  // Whichever key encrypts them: the condition allows nothing else.
  const anyKey = arnOf(scope, 'kms', 'key', '*');
  acknowledgeWildcards(
    role,
    [anyKey],
    'It may decrypt these parameters alone, with whichever key they have.',
  );
  const decrypt = new PolicyStatement({
    actions: ['kms:Decrypt'],
    resources: [anyKey],
    conditions: {
      StringEquals: {
        'kms:EncryptionContext:PARAMETER_ARN': parameters,
        'kms:ViaService': `ssm.${Aws.REGION}.amazonaws.com`,
      },
    },
  });
  return [read, decrypt];
}

/** Allows reading the bucket with era files. Without the right to list it, S3 reports missing files as denied. */
function eraStatements(role: IRole, { eraBucket }: Config): PolicyStatement[] {
  if (eraBucket === undefined) return [];
  const bucket = bucketArn(eraBucket);
  const files = `${bucket}/*`;
  acknowledgeWildcards(role, [files], 'The era files of the bucket are its objects, at any prefix.');
  return [
    new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket] }),
    new PolicyStatement({ actions: ['s3:GetObject'], resources: [files] }),
  ];
}
