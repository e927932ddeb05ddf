import type { DeployedService } from '../deployed-service.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ChainsOptions } from '../options.ts';
import { formatDuration, formatTable, formatTime, pluralize, printResult } from '../print.ts';
import { type BackfillExecution, createBackfills, readFailures } from './executions.ts';
import { startLine } from './plan-files.ts';

type BackfillStatus = ReturnType<typeof statusOf>;

/** The number of ended backfills to show. */
const RECENT = 10;

/** Shows the progress of running and recent backfills, and the days that failed. */
export async function showBackfills(service: DeployedService, options: ChainsOptions): Promise<void> {
  const backfills = await createBackfills(service).list(RECENT, options.chain);
  const statuses = await Promise.all(
    backfills.map(async (backfill) => {
      const { status, mapRun } = backfill;
      // Step Functions writes the report when all days have ended.
      const hasReport = status === 'FAILED' && mapRun !== undefined && mapRun.failed > 0;
      return statusOf(backfill, hasReport ? await readFailures(service, mapRun) : [], new Date());
    }),
  );
  printResult(options, statuses, showStatus(statuses, service.flags));
  if (newestOfEach(statuses).some(({ status }) => status === 'FAILED')) {
    process.exitCode = exitCodes.checkFailed;
  }
}

/** Returns the newest backfill per chain: a later one may have fixed an earlier failure. */
const newestOfEach = (statuses: readonly BackfillStatus[]): BackfillStatus[] =>
  statuses.filter(({ chain }, index) => statuses.findIndex((other) => other.chain === chain) === index);

function statusOf(
  { input, name, status, startedAt, stoppedAt, cause, mapRun }: BackfillExecution,
  failures: Awaited<ReturnType<typeof readFailures>>,
  now: Date,
) {
  const elapsed = ((stoppedAt ?? now).getTime() - startedAt.getTime()) / 1_000;
  const { total = input.dates.length, succeeded = 0, failed = 0, running = 0 } = mapRun ?? {};
  const ended = succeeded + failed;
  const isEstimable = status === 'RUNNING' && ended > 0;
  const dates = input.dates.toSorted();
  return {
    chain: input.chain,
    execution: name,
    // A status of Step Functions, such as RUNNING, SUCCEEDED, FAILED, ABORTED or TIMED_OUT.
    status,
    start_date: dates[0],
    end_date: dates.at(-1),
    // The place of the era files that the days are read from; absent when nodes are read.
    url: input.url,
    days: total,
    done: succeeded,
    failed,
    running,
    pending: mapRun?.pending ?? input.dates.length,
    started_at: startedAt.toISOString(),
    elapsed_seconds: Math.round(elapsed),
    // Absent before the first day ends, and when nothing runs.
    remaining_seconds: isEstimable ? Math.round((elapsed / ended) * (total - ended)) : undefined,
    cause,
    // Absent when the report has expired.
    failures,
  };
}

const HEAD = [
  ...['chain', 'state', 'days', 'done', 'failed', 'running', 'pending'],
  ...['started (UTC)', 'elapsed', 'remaining'],
];

function showStatus(statuses: readonly BackfillStatus[], flags: string): string {
  if (statuses.length === 0) {
    return 'No backfills found. AWS deletes the history of a backfill 90 days after its end.';
  }
  const rows = statuses.map((one) => [
    one.chain,
    `${one.status.toLowerCase().replace('_', ' ')}${one.url === undefined ? '' : ' (files)'}`,
    one.days,
    one.done,
    one.failed,
    one.running,
    one.pending,
    formatTime(one.started_at),
    formatDuration(one.elapsed_seconds),
    one.remaining_seconds === undefined ? '' : formatDuration(one.remaining_seconds),
  ]);
  const failed = statuses.filter(({ status }) => status === 'FAILED').map((one) => showFailure(one, flags));
  return [formatTable(HEAD, rows), ...failed].join('\n\n');
}

function showFailure(status: BackfillStatus, flags: string): string {
  const { chain, execution, failures, done, cause = 'AWS gives no reason', url } = status;
  if (!failures) return `${execution}: ${cause}. The report with the reasons has expired.`;
  if (failures.length === 0)
    return `${execution} failed ${done === 0 ? 'before it ingested any days' : `after ${pluralize(done, 'day')}`}: ${cause}`;
  const again = startLine(flags, chain, { url, startDate: status.start_date, endDate: status.end_date });
  const rows = failures.map(({ date, reason }) => [date, reason]);
  return [
    `${execution}: ${pluralize(failures.length, 'day')} failed.`,
    formatTable(['date', 'reason'], rows),
    `To retry them:\n  ${again}`,
  ].join('\n');
}
