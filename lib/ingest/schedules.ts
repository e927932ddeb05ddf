import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { createScheduleGroup } from '../schedule-group.ts';
import { ingestEventOf } from './event.ts';

interface Props {
  readonly ingest: IFunction;
  readonly lostRuns: IQueue;
  readonly config: Config;
}

/** Between the starts of two runs. A run takes almost as long at most. Alarms need two runs in half an hour. */
const EVERY = Duration.minutes(5);

/** One schedule per chain, so that a slow chain delays no other. */
export class IngestSchedules extends Construct {
  constructor(scope: Construct, id: string, { ingest, lostRuns, config }: Props) {
    super(scope, id);
    const { scheduleGroup, role } = createScheduleGroup(this, ingest, lostRuns, config);
    for (const chain of config.chains) {
      new Schedule(this, chain.name, {
        description: `Ingests ${chain.name}`,
        scheduleGroup,
        schedule: ScheduleExpression.rate(EVERY),
        target: new LambdaInvoke(ingest, {
          role,
          input: ScheduleTargetInput.fromObject(ingestEventOf(chain)),
          // Retries an invocation until the next one is due.
          maxEventAge: EVERY,
          retryAttempts: 3,
          deadLetterQueue: lostRuns,
        }),
      });
    }
  }
}
