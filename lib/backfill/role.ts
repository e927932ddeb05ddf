import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import { Policy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { acknowledgeWildcards } from '../wildcards.ts';
import { REPORTS } from './definition.ts';

/** What the state machine may do, but for its own runs. */
export function machineRole(scope: Construct, ingest: IFunction, reports: Bucket): Role {
  const ownReports = reports.arnForObjects(`${REPORTS}/*`);
  const role = new Role(scope, 'Role', {
    // Nobody else's state machine may make Step Functions act for this stack.
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
            resources: [ownReports],
          }),
        ],
      }),
    },
  });
  acknowledgeWildcards(role, [ownReports], 'Reports have names that Step Functions makes.');
  acknowledgeWildcards(
    role,
    ['*'],
    'X-Ray and the delivery of logs know no resource, so AWS offers nothing narrower.',
  );
  return role;
}

/** In a policy of its own, because the machine needs its role first. */
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
  acknowledgeWildcards(policy, [executions, mapRuns], 'Its own runs have names that are made as they start.');
}
