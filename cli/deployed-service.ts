import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { chainOf } from '../core/chains/chains.ts';
import { createKnownUpstreams, createParameterStore } from '../core/rpc/endpoints-parameter.ts';
import { createDocumentTable } from '../core/store/table/document-table.ts';
import { chainStore } from '../core/store/table/table.ts';
import { readConfig } from '../lib/config.ts';
import { stages } from '../lib/stages/stages.ts';
import { CommandError, orUsageError } from './exit-codes.ts';

export type DeployedService = Awaited<ReturnType<typeof findDeployedService>>;

export interface Access {
  readonly region?: string;
}

/** @throws CommandError when the stage is unknown, invalid or not deployed */
export async function findDeployedService(stage: string) {
  const { env, chains } = configOf(stage);
  const access: Access = env ? { region: env.region } : {};
  const stackName = stackNameOf(stage);
  const { outputs, status } = await describeStack(stackName, stage, access);
  /** @throws CommandError when the stack has no output of that name */
  const output = (name: string) => {
    const value = outputs[name];
    if (value !== undefined) return value;
    throw new CommandError(
      unfinished(stackName, stage, status) ??
        `Stack ${stackName} has no output ${name}: it was deployed by another version. Deploy it with npx cdk deploy -c stage=${stage}.`,
    );
  };
  const upstreamsOf = createKnownUpstreams(createParameterStore(access));
  // A new table throttles while DynamoDB adds capacity to it. These attempts span a minute.
  const table = createDocumentTable(output('TableName'), { ...access, maxAttempts: 10 });
  return {
    title: stackName,
    flags: ` --stage ${stage}`,
    table,
    chains: chains.map(({ name, startDate, endpointsParameter, ...settings }) => ({
      ...settings,
      name,
      chain: chainOf(name),
      store: chainStore(table, name),
      from: startDate,
      createUpstreams: () => upstreamsOf(chainOf(name), endpointsParameter),
    })),
    access,
    output,
    outputs,
  };
}

/** Returns the name of a stage's stack, as bin/chain-insights.ts gives it. */
export const stackNameOf = (stage: string): string => `ChainInsights-${stage}`;

/** @throws CommandError that lists the invalid fields of the stage */
export const configOf = (stage: string) => orUsageError(() => readConfig(stage, stages));

/** Returns the error of a command on a stack that has no outputs because of its status; undefined for any other status. */
function unfinished(stackName: string, stage: string, status: string): string | undefined {
  const state = `Stack ${stackName} is in the state ${status}`;
  const deploy = `npx cdk deploy -c stage=${stage}`;
  if (/^(CREATE|ROLLBACK)_(FAILED|COMPLETE)$/.test(status) && status !== 'CREATE_COMPLETE') {
    return (
      `${state}: its first deployment failed. Delete the stack and what it left (docs/operate/runbook.md#a-first-deployment-failed), ` +
      `then deploy it with ${deploy}.`
    );
  }
  if (status === 'REVIEW_IN_PROGRESS') return `${state}: it was never deployed. Deploy it with ${deploy}.`;
  if (status.endsWith('_IN_PROGRESS')) return `${state}. Wait until this ends, then run the command again.`;
  if (status === 'DELETE_FAILED')
    return `${state}. Delete what blocks it, which its events in CloudFormation name, and the stack again.`;
  return undefined;
}

async function describeStack(stackName: string, stage: string, access: Access) {
  const client = new CloudFormationClient(access);
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const outputs: Readonly<Record<string, string>> = Object.fromEntries(
      (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
    return { outputs, status: stack?.StackStatus ?? 'unknown' };
  } catch (error) {
    // CloudFormation has no error of its own for this.
    if (!/^ValidationError: .* does not exist$/.test(String(error))) throw error;
    const region = await client.config.region();
    throw new CommandError(
      `Stack ${stackName} does not exist in ${region} of this account. Check the credentials and the region, or deploy it with npx cdk deploy -c stage=${stage}.`,
    );
  }
}
