import { Aws, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { EVENT_SOURCE, eventTypes } from '../../core/events/day-events.ts';
import { acknowledgeWildcards } from '../acknowledge.ts';
import type { Config } from '../config.ts';
import { deadLetterQueue } from '../dead-letter-queue.ts';
import { ServiceFunction } from '../service-function.ts';
import { keyStatements } from '../stage-key.ts';
import { IngestSchedules } from './schedules.ts';

interface Props {
  readonly table: TableV2;
  readonly config: Config;
}

/** The ingest function, its schedules and their dead-letter queue. */
export class Ingest extends Construct {
  readonly ingest: ServiceFunction;
  /** Runs that ended without a report, as by a crash or too little memory, and those that could not start. */
  readonly lostRuns: Queue;

  constructor(scope: Construct, id: string, { table, config }: Props) {
    super(scope, id);
    this.lostRuns = deadLetterQueue(this, 'LostRuns', config);
    this.ingest = new ServiceFunction(this, 'Ingest', {
      entry: 'ingest',
      description: 'Reads, validates and sums finalized blocks, and publishes complete days',
      table,
      tableActions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
      variables: { metricsNamespace: Stack.of(this).stackName, stackId: Stack.of(this).stackId },
      // Large responses are decoded as they arrive. Runs were measured to need less than 600 MB, and a hostile answer 0.7 GB.
      memorySize: 768,
      // Long compared with resuming a checkpoint, and short enough that a crash loses little work.
      timeout: Duration.minutes(5),
      // No retries: the next scheduled run resumes from the checkpoint.
      retryAttempts: 0,
      maxEventAge: Duration.minutes(5),
      onFailure: { bind: () => ({ destination: this.lostRuns.queueArn }) },
      network: config.vpc,
      config,
    });
    const allow = (statement: PolicyStatement) => this.ingest.role.addToPrincipalPolicy(statement);
    // CDK's SqsDestination would also allow it to read the queue's attributes.
    allow(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.lostRuns.queueArn] }));
    for (const statement of keyStatements(config, 'sqs', 'kms:Decrypt', 'kms:GenerateDataKey'))
      allow(statement);
    allow(eventStatement(this));
    for (const statement of endpointStatements(this, this.ingest.role, config)) allow(statement);
    for (const statement of eraStatements(this.ingest.role, config)) allow(statement);

    const output = (key: string, value: string, description: string) =>
      new CfnOutput(this, `Output${key}`, { key, value, description });
    output('IngestFunctionName', this.ingest.function.functionName, 'Function to invoke for a manual ingest');
    output(
      'LostRunsQueueUrl',
      this.lostRuns.queueUrl,
      'Queue of runs that ended without a report, or did not start',
    );
    if (config.eraBucket) output('EraBucketName', config.eraBucket, 'Bucket with era files for backfills');
    new IngestSchedules(this, 'Schedules', { ingest: this.ingest.function, lostRuns: this.lostRuns, config });
  }
}

/**
 * Allows putting the events of days on the default bus, and no others:
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-bus-example-policy-cross-account-custom-bus-source.html
 */
const eventStatement = (scope: Construct) =>
  new PolicyStatement({
    actions: ['events:PutEvents'],
    resources: [
      Stack.of(scope).formatArn({ service: 'events', resource: 'event-bus', resourceName: 'default' }),
    ],
    conditions: {
      'ForAllValues:StringEquals': { 'events:source': EVENT_SOURCE },
      StringEquals: { 'events:detail-type': eventTypes },
    },
  });

/** Allows reading the configured parameters with node URLs, and no others. */
function endpointStatements(scope: Construct, role: IRole, { chains }: Config): PolicyStatement[] {
  const names = chains.flatMap(({ endpointsParameter }) => endpointsParameter ?? []);
  if (names.length === 0) return [];
  const parameters = [...new Set(names)].map((name) =>
    Stack.of(scope).formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) }),
  );
  const read = new PolicyStatement({ actions: ['ssm:GetParameter'], resources: parameters });
  // Whichever key encrypts them: the condition allows nothing else.
  const anyKey = Stack.of(scope).formatArn({ service: 'kms', resource: 'key', resourceName: '*' });
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
  const bucket = `arn:${Aws.PARTITION}:s3:::${eraBucket}`;
  const files = `${bucket}/*`;
  acknowledgeWildcards(role, [files], 'The era files of the bucket are its objects, at any prefix.');
  return [
    new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket] }),
    new PolicyStatement({ actions: ['s3:GetObject'], resources: [files] }),
  ];
}
