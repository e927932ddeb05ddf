import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';

/** A deployed stack. */
export interface Stack {
  /** ARN, which also finds the stack after its deletion. */
  readonly id: string;
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** A resource of a stack. */
interface Resource {
  readonly logicalId: string;
  readonly type: string;
  readonly status: string;
}

const client = new CloudFormationClient();

/** @returns undefined when no stack has this name or ARN */
export async function findStack(name: string): Promise<Stack | undefined> {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    if (!stack || stack.StackStatus === 'DELETE_COMPLETE') return undefined;
    const outputs = (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [
      OutputKey,
      OutputValue,
    ]);
    const { StackId: id = '', StackStatus: status = '' } = stack;
    return { id, status, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    if (error instanceof CloudFormationServiceException && /does not exist/.test(error.message))
      return undefined;
    throw error;
  }
}

/** @throws Error when it is not deployed */
export async function stackOf(name: string): Promise<Stack> {
  const stack = await findStack(name);
  if (stack) return stack;
  throw new Error(`Stack ${name} does not exist.`);
}

/** @throws Error without such an output */
export function outputOf({ id, outputs }: Stack, name: string): string {
  const value = outputs[name];
  if (value !== undefined) return value;
  throw new Error(`${id} has no output ${name}.`);
}

/** @param id a name, or the ARN of a stack that may be deleted */
export async function resourcesOf(id: string): Promise<readonly Resource[]> {
  const pages = paginateListStackResources({ client }, { StackName: id });
  const summaries = await Array.fromAsync(pages, ({ StackResourceSummaries = [] }) => StackResourceSummaries);
  return summaries
    .flat()
    .map(({ LogicalResourceId = '', ResourceType = '', ResourceStatus = '' }) => ({
      logicalId: LogicalResourceId,
      type: ResourceType,
      status: ResourceStatus,
    }));
}
