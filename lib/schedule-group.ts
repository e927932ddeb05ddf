import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';
import { sendStatements } from './dead-letter-queue.ts';

/**
 * Creates a group of schedules that invoke a function, and their role.
 * @param lostRuns receives runs that could not be invoked
 */
export function createScheduleGroup(
  scope: Construct,
  { functionArn }: IFunction,
  lostRuns: IQueue,
  config: Pick<Config, 'kmsKeyArn'>,
): { readonly scheduleGroup: ScheduleGroup; readonly role: IRole } {
  const scheduleGroup = new ScheduleGroup(scope, 'Group', { removalPolicy: RemovalPolicy.DESTROY });
  const role = new Role(scope, 'Role', {
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
          new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
          ...sendStatements(lostRuns, config),
        ],
      }),
    },
  });
  // CDK would also allow it to invoke every version of the function.
  return { scheduleGroup, role: role.withoutPolicyUpdates() };
}
