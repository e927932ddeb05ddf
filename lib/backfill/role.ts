import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import { Policy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { acknowledgeWildcards } from '../acknowledge.ts';
import type { Config } from '../config.ts';
import { keyStatements } from '../stage-key.ts';
import { REPORTS } from './definition.ts';

/** Creates the state machine's role, without the right to manage its own executions. */
export function machineRole(scope: Construct, ingest: IFunction, reports: Bucket, config: Config): Role {
  const reportObjects = reports.arnForObjects(`${REPORTS}/*`);
  const role = new Role(scope, 'Role', {
    // Prevents state machines of other accounts from using this role (confused deputy).
    assumedBy: new ServicePrincipal('states.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    inlinePolicies: {
      Run: new PolicyDocument({
        statements: [
          new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [ingest.functionArn] }),
          new PolicyStatement({
            actions: [
              's3:PutObject',
              's3:GetObject',
              's3:ListMultipartUploadParts',
              's3:AbortMultipartUpload',
            ],
            resources: [reportObjects],
          }),
          ...keyStatements(config, 's3', 'kms:Decrypt', 'kms:GenerateDataKey'),
        ],
      }),
    },
  });
  acknowledgeWildcards(role, [reportObjects], 'Step Functions chooses the names of reports.');
  acknowledgeWildcards(
    role,
    ['*'],
    'AWS supports no resources for X-Ray and the delivery of logs, so nothing narrower is possible.',
  );
  return role;
}

/** Allows the state machine to manage its own executions, in a separate policy because the machine depends on its role. */
export function allowOwnRuns(
  scope: Construct,
  role: Role,
  { stateMachineArn, stateMachineName }: StateMachine,
) {
  const ownRuns = (resource: string) =>
    Stack.of(scope).formatArn({
      service: 'states',
      resource,
      resourceName: `${stateMachineName}/*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  const executions = ownRuns('execution');
  const mapRuns = ownRuns('mapRun');
  const policy = new Policy(scope, 'OwnRuns', {
    roles: [role],
    statements: [
      new PolicyStatement({ actions: ['states:StartExecution'], resources: [stateMachineArn] }),
      new PolicyStatement({
        actions: ['states:DescribeExecution', 'states:StopExecution'],
        resources: [executions],
      }),
      new PolicyStatement({ actions: ['states:DescribeMapRun'], resources: [mapRuns] }),
    ],
  });
  acknowledgeWildcards(policy, [executions, mapRuns], 'Executions get their names when they start.');
}
