import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import type { IngestEvent } from '../lambda/ingest.ts';
import type { Config } from './config.ts';
import { ServiceFunction } from './service-function.ts';

interface Props {
  readonly table: TableV2;
  readonly config: Config;
}

/** The ingest function, and a schedule for each chain, so that none waits for another. */
export class IngestSchedule extends Construct {
  constructor(scope: Construct, id: string, { table, config }: Props) {
    super(scope, id);
    // A run that fails is not repeated: the next one on schedule goes on where it stopped.
    const ingest = new ServiceFunction(this, 'Ingest', {
      entry: 'ingest',
      description: 'Reads finalized blocks, checks and sums them, and publishes whole days',
      table,
      tableActions: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
      // One whole vCPU, which decoding receipts needs; and room for an answer of 160 MB, measured to take 1,167 at worst.
      memorySize: 1_769,
      timeout: Duration.minutes(5),
      retryAttempts: 0,
    });
    for (const chain of config.chains) {
      new Schedule(this, chain, {
        description: `Ingests ${chain}`,
        schedule: ScheduleExpression.rate(Duration.minutes(config.ingestEveryMinutes)),
        target: new LambdaInvoke(ingest.function, {
          input: ScheduleTargetInput.fromObject({
            chain,
            start_date: config.startDate,
            confirmations: config.confirmations[chain],
          } satisfies IngestEvent),
          retryAttempts: 0,
        }),
      });
    }
  }
}
