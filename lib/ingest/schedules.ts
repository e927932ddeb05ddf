import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression, ScheduleGroup, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { keyStatements } from '../stage-key.ts';
import { ingestEventOf } from './event.ts';

interface Props {
  readonly ingest: IFunction;
  readonly missed: IQueue;
  readonly config: Config;
}

/** One schedule per chain, so that a slow chain delays no other. */
export class IngestSchedules extends Construct {
  constructor(scope: Construct, id: string, { ingest, missed, config }: Props) {
    super(scope, id);
    const scheduleGroup = new ScheduleGroup(this, 'Group', { removalPolicy: RemovalPolicy.DESTROY });
    const role = new Role(this, 'Role', {
      // Prevents schedules of others from using this role (confused deputy).
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': Aws.ACCOUNT_ID,
            'aws:SourceArn': scheduleGroup.scheduleGroupArn,
          },
        },
      }),
      inlinePolicies: {
        Run: new PolicyDocument({
          statements: [
            new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [ingest.functionArn] }),
            new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [missed.queueArn] }),
            ...keyStatements(config, 'sqs', 'kms:Decrypt', 'kms:GenerateDataKey'),
          ],
        }),
      },
    });
    for (const chain of config.chains) {
      const every = Duration.minutes(chain.ingestEveryMinutes);
      new Schedule(this, chain.name, {
        description: `Ingests ${chain.name}`,
        scheduleGroup,
        schedule: ScheduleExpression.rate(every),
        target: new LambdaInvoke(ingest, {
          // CDK would also allow it to invoke every version of the function.
          role: role.withoutPolicyUpdates(),
          input: ScheduleTargetInput.fromObject(ingestEventOf(chain)),
          // Retries an invocation until the next one is due.
          maxEventAge: every,
          retryAttempts: 3,
          deadLetterQueue: missed,
        }),
      });
    }
  }
}
