import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, type ScheduleExpression, ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke, type ScheduleTargetBaseProps } from 'aws-cdk-lib/aws-scheduler-targets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';
import { sendStatements } from './encrypted-resources.ts';

interface Planned extends Pick<ScheduleTargetBaseProps, 'input' | 'maxEventAge' | 'retryAttempts'> {
  readonly description: string;
  readonly schedule: ScheduleExpression;
}

/** Creates a group of schedules, by their IDs, that invoke a function. @param lostRuns receives runs that could not be invoked; undefined drops them */
export function createSchedules(
  scope: Construct,
  invoked: IFunction,
  lostRuns: IQueue | undefined,
  config: Pick<Config, 'kmsKeyArn'>,
  planned: Readonly<Record<string, Planned>>,
): void {
  const scheduleGroup = new ScheduleGroup(scope, 'Group', { removalPolicy: RemovalPolicy.DESTROY });
  const invoke = new PolicyStatement({
    actions: ['lambda:InvokeFunction'],
    resources: [invoked.functionArn],
  });
  const given = new Role(scope, 'Role', {
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
        statements: [invoke, ...(lostRuns ? sendStatements(lostRuns, config) : [])],
      }),
    },
  });
  // CDK would also allow it to invoke every version of the function.
  const role = given.withoutPolicyUpdates();
  for (const [id, { description, schedule, ...options }] of Object.entries(planned)) {
    const target = new LambdaInvoke(invoked, {
      ...options,
      role,
      ...(lostRuns && { deadLetterQueue: lostRuns }),
    });
    new Schedule(scope, id, { description, scheduleGroup, schedule, target });
  }
}
