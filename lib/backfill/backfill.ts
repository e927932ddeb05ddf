import { ArnFormat, Aws, Fn, Stack } from 'aws-cdk-lib';
import { Policy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledgeWildcards } from '../acknowledge.ts';
import { arnOf } from '../arns.ts';
import type { Config } from '../config.ts';
import { keyStatements, logGroup, privateBucket } from '../encrypted-resources.ts';
import { ingestEventOf } from '../ingest/event.ts';
import { output } from '../output.ts';
import { type BackfillChains, backfillDefinition } from './definition.ts';
import { REPORTS } from './input.ts';

interface Props {
  readonly ingest: IFunction;
  readonly config: Config;
}

/** A state machine with which operators ingest many days at once. Schedules read days one after the other. */
export class Backfill extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, { ingest, config }: Props) {
    super(scope, id);
    // As long as the histories of executions.
    const reports = privateBucket(this, 'Reports', config, { keptDays: 90 });
    const role = machineRole(this, ingest, reports, config);
    // Log groups elsewhere fill the account's resource policy, of limited size, one by one.
    const logs = logGroup(this, 'Logs', config, `/aws/vendedlogs/states/${uniqueStackName()}-backfill`);
    const definition = backfillDefinition(this, chainsOf(config), { ingest, bucketName: reports.bucketName });
    this.stateMachine = new StateMachine(this, 'StateMachine', {
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(definition)),
      role,
      // Step Functions keeps inputs and outputs in the history of each execution for 90 days.
      logs: { destination: logs, level: LogLevel.ALL, includeExecutionData: false },
    });
    allowOwnRuns(this, role, this.stateMachine);
    const { stateMachineArn } = this.stateMachine;
    output(this, 'BackfillArn', stateMachineArn, 'State machine that ingests many days at once');
    output(
      this,
      'BackfillBucketName',
      reports.bucketName,
      'Bucket with the reports of failed days and reasons',
    );
  }
}

/** Returns the stack's name with a part of its ID: a protected log group remains when its stack is deleted, and would block the next one. */
function uniqueStackName(): string {
  const stackId = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${Aws.STACK_NAME}-${Fn.select(0, Fn.split('-', stackId))}`;
}

const chainsOf = ({ chains, backfillDaysAtOnce: daysAtOnce }: Config): BackfillChains =>
  Object.fromEntries(chains.map((chain) => [chain.name, { event: ingestEventOf(chain), daysAtOnce }]));

/** Creates the state machine's role, without the right to manage its own executions. */
function machineRole(scope: Construct, ingest: IFunction, reports: Bucket, config: Config): Role {
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
function allowOwnRuns(scope: Construct, role: Role, { stateMachineArn, stateMachineName }: StateMachine) {
  const ownRuns = (resource: string) =>
    arnOf(scope, 'states', resource, `${stateMachineName}/*`, ArnFormat.COLON_RESOURCE_NAME);
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
