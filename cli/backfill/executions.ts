import {
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  type ExecutionListItem,
  ListExecutionsCommand,
  ListMapRunsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import pMap from 'p-map';
import * as z from 'zod';
import type { ChainName } from '../../core/chains/chains.ts';
import { createS3Client, readObject } from '../../core/s3-client.ts';
import { type BackfillInput, REPORTS } from '../../lib/backfill/input.ts';
import type { DeployedService } from '../deployed-service.ts';

export type BackfillExecution = Awaited<ReturnType<typeof describe>>;
export type Backfills = ReturnType<typeof createBackfills>;

/** @throws CommandError when the stage was deployed without the state machine */
export function createBackfills({ access, output }: DeployedService) {
  const client = new SFNClient({ ...access, retryMode: 'adaptive', maxAttempts: 8 });
  const stateMachineArn = output('BackfillArn');
  /** Lists executions, the newest first: as many as AWS lists at once. */
  const listed = async (statusFilter?: 'RUNNING') => {
    const list = new ListExecutionsCommand({ stateMachineArn, maxResults: 1_000, statusFilter });
    return (await client.send(list)).executions ?? [];
  };
  const describeAll = (items: readonly ExecutionListItem[]) =>
    pMap(items, (item) => describe(client, item.executionArn ?? ''), { concurrency: 4 });
  return {
    /** Returns all running backfills and the most recent ended ones, newest first. */
    list: async (recent: number, chains: readonly ChainName[] | undefined) => {
      const all = await listed();
      const isSelected = (chain: string) => !chains || chains.some((name) => name === chain);
      const ended = all.filter(
        ({ name = '', status }) => status !== 'RUNNING' && isSelected(name.replace(/-\w+$/, '')),
      );
      const shown = new Set(ended.slice(0, recent));
      const found = await describeAll(all.filter((one) => one.status === 'RUNNING' || shown.has(one)));
      return found.filter(({ input }) => isSelected(input.chain));
    },
    running: async (chain: ChainName) =>
      (await describeAll(await listed('RUNNING'))).filter(({ input }) => input.chain === chain),
    /** @returns the name of the execution */
    start: async (input: BackfillInput) => {
      const name = `${input.chain}-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
      await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
      return name;
    },
    stop: async ({ arn }: BackfillExecution) => {
      const reason = { error: 'Stopped', cause: 'Stopped by npx --no chain-insights backfill stop' };
      await client.send(new StopExecutionCommand({ executionArn: arn, ...reason }));
    },
  };
}

/** Accepts any input: an execution can also be started in the AWS console, and then fails. */
const inputSchema = z
  .object({
    chain: z.string(),
    dates: z.array(z.string()).default([]),
    url: z.string().optional(),
    daysAtOnce: z.number().optional(),
  })
  .catch({ chain: '?', dates: [] });

async function describe(client: SFNClient, executionArn: string) {
  const [execution, { mapRuns = [] }] = await Promise.all([
    client.send(new DescribeExecutionCommand({ executionArn })),
    client.send(new ListMapRunsCommand({ executionArn })),
  ]);
  const { name = '', status = '', startDate = new Date(0), stopDate, cause, input } = execution;
  const mapRunArn = mapRuns[0]?.mapRunArn;
  return {
    name,
    arn: executionArn,
    status,
    // The reason of a failure, as Step Functions reports it.
    cause,
    startedAt: startDate,
    stoppedAt: stopDate,
    input: inputSchema.parse(parseJson(input ?? '')),
    // Absent until its first day starts.
    mapRun: mapRunArn === undefined ? undefined : await describeMapRun(client, mapRunArn),
  };
}

async function describeMapRun(client: SFNClient, mapRunArn: string) {
  const { itemCounts } = await client.send(new DescribeMapRunCommand({ mapRunArn }));
  const { total = 0, succeeded = 0, running = 0, pending = 0 } = itemCounts ?? {};
  const { failed = 0, timedOut = 0, aborted = 0 } = itemCounts ?? {};
  // Failed, timed out or stopped.
  const ended = failed + timedOut + aborted;
  return { arn: mapRunArn, total, succeeded, running, pending, failed: ended };
}

/** The list of result files that Step Functions writes at the end of a map run. */
const manifestSchema = z.object({
  ResultFiles: z.object({ FAILED: z.array(z.object({ Key: z.string() })).default([]) }),
});

const failuresSchema = z.array(
  z.object({
    /** JSON text. */
    Input: z
      .string()
      .transform(parseJson)
      .pipe(z.object({ date: z.string().optional() })),
    Status: z.string().default('FAILED'),
    Error: z.string().optional(),
    Cause: z.string().optional(),
  }),
);

/** Reads the failed days of a map run, ascending; undefined when there is no report: not yet, or not any more. */
export async function readFailures({ access, output }: DeployedService, mapRun: { readonly arn: string }) {
  const client = createS3Client(access.region);
  const read = async (key: string) => {
    const bytes = await readObject(client, output('BackfillBucketName'), key);
    return bytes && parseJson(bytes.toString());
  };
  const id = mapRun.arn.slice(mapRun.arn.lastIndexOf(':') + 1);
  const manifest = await read(`${REPORTS}/${id}/manifest.json`);
  if (manifest === undefined) return undefined;
  const { FAILED } = manifestSchema.parse(manifest).ResultFiles;
  const files = await Promise.all(FAILED.map(({ Key }) => read(Key)));
  // S3 deletes the files of a report one by one.
  if (files.includes(undefined)) return undefined;
  return files
    .flatMap((file) => failuresSchema.parse(file))
    .map(({ Input, Status, Error: error, Cause }) => ({
      date: Input.date ?? '',
      reason: reasonOf(Cause) ?? error ?? Status,
    }))
    .toSorted((a, b) => a.date.localeCompare(b.date));
}

function reasonOf(cause: string | undefined): string | undefined {
  // The cause that Lambda reports for an error thrown by a function.
  const thrown = z.object({ errorMessage: z.string() }).safeParse(parseJson(cause ?? ''));
  return thrown.success ? thrown.data.errorMessage : cause;
}

/** @returns undefined for invalid JSON */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
