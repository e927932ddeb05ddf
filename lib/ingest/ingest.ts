import { Aws, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { deadLetterQueue } from '../dead-letter-queue.ts';
import { ServiceFunction } from '../service-function.ts';
import { IngestSchedules } from './schedules.ts';

interface Props {
  readonly table: TableV2;
  readonly config: Config;
}

/** The ingest function, and what starts it for each chain. */
export class Ingest extends Construct {
  readonly ingest: ServiceFunction;
  /** Runs that ended in a way that no later run mends: a day in conflict, a crash, no memory, no room to start. */
  readonly crashes: Queue;
  /** Runs that could not even be asked for. */
  readonly missed: Queue;

  constructor(scope: Construct, id: string, { table, config }: Props) {
    super(scope, id);
    this.crashes = deadLetterQueue(this, 'Crashes');
    this.missed = deadLetterQueue(this, 'Missed');
    this.ingest = new ServiceFunction(this, 'Ingest', {
      entry: 'ingest',
      description: 'Reads finalized blocks, checks and sums them, and publishes whole days',
      table,
      tableActions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
      variables: { metricsNamespace: Stack.of(this).stackName },
      // One whole vCPU, which decoding receipts needs; and room for an answer of 160 MB, measured to take 1,167 at worst.
      memorySize: 1_769,
      // Long enough that finding its place is little of it, short enough that what is lost by a crash is, too.
      timeout: Duration.minutes(5),
      // A run that fails is not repeated, nor kept for later: the next one on schedule goes on where it stopped.
      retryAttempts: 0,
      maxEventAge: Duration.minutes(5),
      onFailure: { bind: () => ({ destination: this.crashes.queueArn }) },
      config,
    });
    const allow = (statement: PolicyStatement) => this.ingest.role.addToPrincipalPolicy(statement);
    // CDK's own SqsDestination would let it read the queue's attributes too.
    allow(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.crashes.queueArn] }));
    for (const statement of endpointStatements(this, config)) allow(statement);

    const output = (key: string, value: string, description: string) =>
      new CfnOutput(this, `Output${key}`, { key, value, description });
    output('IngestFunctionName', this.ingest.function.functionName, 'What to invoke to ingest by hand');
    output('CrashQueueUrl', this.crashes.queueUrl, 'Where runs wait for a person that crashed');
    output('MissedQueueUrl', this.missed.queueUrl, 'Where runs wait for a person that could not be started');
    new IngestSchedules(this, 'Schedules', { ingest: this.ingest.function, missed: this.missed, config });
  }
}

/** The right to read the nodes' URLs that are configured, and no other parameter. */
function endpointStatements(scope: Construct, { chains, endpointsKeyArn }: Config): PolicyStatement[] {
  const names = chains.flatMap(({ endpointsParameter }) => endpointsParameter ?? []);
  if (names.length === 0) return [];
  const parameters = [...new Set(names)].map((name) =>
    Stack.of(scope).formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) }),
  );
  const read = new PolicyStatement({ actions: ['ssm:GetParameter'], resources: parameters });
  if (!endpointsKeyArn) return [read];
  const decrypt = new PolicyStatement({
    actions: ['kms:Decrypt'],
    resources: [endpointsKeyArn],
    conditions: {
      StringEquals: {
        'kms:EncryptionContext:PARAMETER_ARN': parameters,
        'kms:ViaService': `ssm.${Aws.REGION}.amazonaws.com`,
      },
    },
  });
  return [read, decrypt];
}
