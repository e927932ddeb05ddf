import { startOfDay } from '#core/figures/calendar.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { runCli } from '#test/support/processes/cli-process.ts';
import { type AwsRequest, stackXml, startAwsEndpoint } from '#test/support/servers/aws-endpoint.ts';
import { leadAllTo } from '#test/support/servers/in-process-dispatch.ts';
import { useStore } from '#test/support/tables/table.ts';

/* The account of an operator with the stage dev, on which backfills run. */

type EmbeddedTable = ReturnType<ReturnType<typeof useStore>['table']>;
export const MACHINE = 'arn:aws:states:us-east-1:111122223333:stateMachine:Backfill';

/** An execution of the state machine. */
export interface Execution {
  readonly name: string;
  readonly status: string;
  readonly input: unknown;
  readonly cause?: string;
  readonly mapRun?: { readonly arn: string; readonly itemCounts: Record<string, number> };
}

export const arnOf = ({ name }: Execution) =>
  `arn:aws:states:us-east-1:111122223333:execution:Backfill:${name}`;

/** Starts an AWS endpoint with a deployed stage, executions (newest first) and objects of the bucket. */
const startAccount = (
  table: EmbeddedTable,
  executions: readonly Execution[] = [],
  objects: ReadonlyMap<string, unknown> = new Map(),
  outputs: Readonly<Record<string, string>> = {},
  concurrency: number | 'denied' = 1_000,
) => {
  const resultOf = ({ operation, input }: AwsRequest): unknown => {
    const selected = executions.find((one) =>
      [arnOf(one), one.mapRun?.arn].includes(String(input.executionArn ?? input.mapRunArn)),
    );
    const times = (one: Execution | undefined) => ({
      startDate: startOfDay(DAY),
      ...(one?.status !== 'RUNNING' && { stopDate: startOfDay(DAY) + 7_200 }),
    });
    switch (operation) {
      case 'ListExecutions':
        return {
          executions: executions
            .filter(({ status }) => !input.statusFilter || status === input.statusFilter)
            .map((one) => ({
              ...times(one),
              executionArn: arnOf(one),
              stateMachineArn: MACHINE,
              name: one.name,
              status: one.status,
            })),
        };
      case 'DescribeExecution': {
        if (!selected) return undefined;
        const { name, status, cause } = selected;
        return {
          ...times(selected),
          name,
          status,
          cause,
          executionArn: arnOf(selected),
          input: JSON.stringify(selected.input),
        };
      }
      case 'ListMapRuns':
        return { mapRuns: selected?.mapRun ? [{ mapRunArn: selected.mapRun.arn, startDate: 1 }] : [] };
      case 'DescribeMapRun':
        return { mapRunArn: selected?.mapRun?.arn, itemCounts: selected?.mapRun?.itemCounts };
      case 'GetObject':
        if (isLimit(input)) return { AccountLimit: { UnreservedConcurrentExecutions: concurrency } };
        return objects.get(String(input.path).slice(1));
      default:
        return { executionArn: 'arn', startDate: 1, stopDate: 1 };
    }
  };
  const names = { TableName: table.name, BackfillArn: MACHINE, BackfillBucketName: 'reports-bucket' };
  return startAwsEndpoint((request) => {
    if (request.operation === 'DescribeStacks') return { body: stackXml({ ...names, ...outputs }) };
    if (isLimit(request.input) && concurrency === 'denied')
      return { error: 'AccessDeniedException', status: 403 };
    return { result: resultOf(request) };
  });
};

/** Returns whether a request reads the limits of Lambda. */
const isLimit = ({ path }: AwsRequest['input']): boolean => String(path).includes('/account-settings');

export type Account = Awaited<ReturnType<typeof startAccount>>;
export const inputsOf = (account: Account, operation: string): AwsRequest['input'][] =>
  account.requests.filter((one) => one.operation === operation).map(({ input }) => input);

export const running = { name: 'ETHEREUM-1', status: 'RUNNING', input: { chain: 'ETHEREUM', dates: [DAY] } };

/** Runs the command, whose requests to public endpoints go to a node with this answer. */
async function backfill(
  table: EmbeddedTable,
  account: Account,
  parameters: readonly string[],
  answer = answerFrom(sampleBlocks),
) {
  await using node = await startJsonRpcServer(answer);
  using _nodes = leadAllTo(node.url);
  const tables = { ...embeddedCredentials, AWS_ENDPOINT_URL_DYNAMODB: table.endpoint };
  return await runCli(['backfill', ...parameters], { ...account.environment, ...tables });
}

/** A new table for each test of a file, the account with a stage on it, and the command. */
export function useBackfills() {
  const { table, store } = useStore('ETHEREUM');
  return {
    store,
    startAccount: (...given: Tail<Parameters<typeof startAccount>>) => startAccount(table(), ...given),
    backfill: (...given: Tail<Parameters<typeof backfill>>) => backfill(table(), ...given),
  };
}

type Tail<All extends readonly unknown[]> = All extends [unknown, ...infer Others] ? Others : never;
