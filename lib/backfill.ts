import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { type BackfillChains, backfillDefinition } from './backfill/definition.ts';
import { reportBucket } from './backfill/report-bucket.ts';
import { allowOwnRuns, machineRole } from './backfill/role.ts';
import type { Config } from './config.ts';
import { ingestEventOf } from './ingest/event.ts';
import { logGroup } from './log-group.ts';

interface Props {
  readonly ingest: IFunction;
  readonly config: Config;
}

/** A state machine with which operators ingest many days at once. Schedules read days one after the other. */
export class Backfill extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, { ingest, config }: Props) {
    super(scope, id);
    const arn = `arn:${Aws.PARTITION}`;
    const reports = reportBucket(this, config);
    const role = machineRole(this, ingest, reports);
    const resources = { arn, functionArn: ingest.functionArn, bucketName: reports.bucketName };
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      definitionBody: DefinitionBody.fromString(
        Stack.of(this).toJsonString(backfillDefinition(chainsOf(config), resources)),
      ),
      role,
      tracingEnabled: true,
      // Step Functions keeps inputs and outputs in the history of each execution for 90 days.
      logs: { destination: logGroup(this, 'Logs', config), level: LogLevel.ALL, includeExecutionData: false },
    });
    allowOwnRuns(this, role, this.stateMachine);

    const output = (key: string, value: string, description: string) =>
      new CfnOutput(this, `Output${key}`, { key, value, description });
    output('BackfillArn', this.stateMachine.stateMachineArn, 'State machine that ingests many days at once');
    output(
      'BackfillBucketName',
      reports.bucketName,
      'Bucket with the reports of backfills: failed days and reasons',
    );
  }
}

const chainsOf = ({ chains }: Config): BackfillChains =>
  Object.fromEntries(
    chains.map((chain) => [
      chain.name,
      { event: ingestEventOf(chain), daysAtOnce: chain.backfillDaysAtOnce },
    ]),
  );
