import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import { formatDuration, formatTable, pluralize } from '../print.ts';
import type { Backfill } from './executions.ts';
import type { DayFailure } from './failures.ts';

/** How a backfill stands. */
export interface BackfillStatus {
  readonly chain: string;
  readonly execution: string;
  /** RUNNING, SUCCEEDED, FAILED, or ABORTED when it was stopped. */
  readonly status: string;
  readonly start_date?: UtcDay | undefined;
  readonly end_date?: UtcDay | undefined;
  readonly days: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
  readonly pending: number;
  readonly started_at: string;
  readonly elapsed_seconds: number;
  /** While it runs, once a day of it is done. */
  readonly left_seconds?: number | undefined;
  readonly cause?: string | undefined;
  /** Absent when the report is no longer there. */
  readonly failures?: readonly DayFailure[] | undefined;
}

export function statusOf(
  { input, name, status, startedAt, stoppedAt, cause, mapRun }: Backfill,
  failures: readonly DayFailure[] | undefined,
  now: Date,
): BackfillStatus {
  const elapsed = ((stoppedAt ?? now).getTime() - startedAt.getTime()) / 1_000;
  const { total = input.dates.length, succeeded = 0, failed = 0, running = 0 } = mapRun ?? {};
  const over = succeeded + failed;
  const dates = input.dates.toSorted();
  return {
    chain: input.chain,
    execution: name,
    status,
    start_date: dates[0],
    end_date: dates.at(-1),
    days: total,
    done: succeeded,
    ...{ failed, running, pending: mapRun?.pending ?? input.dates.length },
    started_at: startedAt.toISOString(),
    elapsed_seconds: Math.round(elapsed),
    left_seconds:
      status === 'RUNNING' && over > 0 ? Math.round((elapsed / over) * (total - over)) : undefined,
    cause,
    failures,
  };
}

/** @param flags what a command line for the stage needs, such as ` --stage prod` */
export function showStatus(statuses: readonly BackfillStatus[], flags: string): string {
  if (statuses.length === 0) return 'No backfill is known. AWS forgets them 90 days after their end.';
  const rows = statuses.map((one) => [
    ...[
      one.chain,
      STATES[one.status] ?? one.status,
      one.days,
      one.done,
      one.failed,
      one.running,
      one.pending,
    ],
    ...[one.started_at.slice(0, 16).replace('T', ' '), formatDuration(one.elapsed_seconds)],
    one.left_seconds === undefined ? '' : formatDuration(one.left_seconds),
  ]);
  const head = [
    'chain',
    'state',
    'days',
    'done',
    'failed',
    'running',
    'pending',
    'started (UTC)',
    'took',
    'left',
  ];
  const failed = statuses.filter(({ status }) => status === 'FAILED').map((one) => showFailure(one, flags));
  return [formatTable(head, rows), ...failed].join('\n\n');
}

const STATES: Readonly<Record<string, string>> = {
  RUNNING: 'running',
  SUCCEEDED: 'done',
  FAILED: 'failed',
  ABORTED: 'stopped',
  TIMED_OUT: 'timed out',
};

function showFailure(status: BackfillStatus, flags: string): string {
  const { chain, execution, failures, cause, start_date, end_date } = status;
  const again = `Read them again with: npx chain-insights backfill start${flags} --chain ${chain} --start-date ${start_date} --end-date ${end_date}`;
  if (!failures) return `${execution}: ${cause ?? ''}. That report is gone.`;
  if (failures.length === 0) return `${execution} failed as a whole: ${cause ?? 'AWS gives no reason'}`;
  const rows = failures.map(({ date, reason }) => [date, reason]);
  return [
    `${execution}: ${pluralize(failures.length, 'day')} failed.`,
    formatTable(['day', 'reason'], rows),
    again,
  ].join('\n');
}
