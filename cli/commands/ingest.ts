import type { Command } from 'commander';
import pMap from 'p-map';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { listFinalDays } from '../../lambda/store/days.ts';
import { daysBetween, formatRange, groupIntoRanges, missingDays, shareOfDay } from '../day-ranges.ts';
import { upstreamsOf } from '../endpoints.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { type DayEnd, type DayWork, ingestDayFully } from '../ingest-day.ts';
import { interrupted } from '../interrupt.ts';
import { openService } from '../open-service.ts';
import {
  type CommonOptions,
  chainOption,
  checkOrder,
  dayOption,
  readInteger,
  rpcUrlOption,
  serviceCommand,
  withExamples,
} from '../options.ts';
import { commandLine, formatCount, formatDuration, pluralize, printNote, printResult } from '../print.ts';
import { type Progress, startProgress } from '../progress.ts';
import { chainIn, type OperatedService, type ServedChain } from '../service.ts';

interface Options extends CommonOptions {
  readonly chain: ChainName;
  readonly startDate: UtcDay;
  readonly endDate: UtcDay;
  readonly daysAtOnce: number;
  readonly rpcUrl?: readonly string[];
}

interface Result {
  readonly chain: string;
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  /** Days of the range that were final before. */
  readonly final_before: number;
  /** Days that are final now and were not. */
  readonly days: readonly UtcDay[];
  readonly failed: readonly { readonly date: UtcDay; readonly reason: string }[];
  /** Days that were not brought to an end: Ctrl-C, or nobody to read them from. */
  readonly left: readonly UtcDay[];
  readonly blocks: number;
  readonly seconds: number;
}

export const ingestCommand = (): Command =>
  withExamples(
    serviceCommand(
      'ingest',
      'Reads the missing days of a range here and now, several at once, into the table. What is final stays as it is.',
    )
      .addOption(chainOption())
      .addOption(dayOption('--start-date <day>', 'first day').makeOptionMandatory())
      .addOption(dayOption('--end-date <day>', 'last day').makeOptionMandatory())
      .option('--days-at-once <number>', 'how many days are read at the same time', readInteger(1, 32), 4)
      .addOption(rpcUrlOption('read these nodes alone, in this order (default: those of the service)'))
      .action(ingest),
    'ingest --chain ETHEREUM --start-date 2026-10-21 --end-date 2026-11-20',
    'ingest --stage prod --chain BASE --start-date 2026-11-01 --end-date 2026-11-01 --rpc-url https://my-node.example',
  );

async function ingest(options: Options): Promise<void> {
  checkOrder(options);
  const service = await openService(options);
  const served = chainIn(service, options.chain);
  const { startDate, endDate } = options;
  checkRange(served, startDate, endDate);
  const finalDays = () => listFinalDays(served.store, startDate);
  const missing = missingDays(startDate, endDate, await finalDays());
  const upstreams = await upstreamsOf(served, options.rpcUrl);

  const startedAt = Date.now();
  const watch = watchDays(missing);
  const ends = await ingestAll(missing, options.daysAtOnce, {
    ...{ served, upstreams, onBlock: watch.onBlock },
    onEnd: watch.onEnd,
  });
  watch.progress.end();
  const hasFailed = ends.some(({ end }) => end.state === 'failed');
  // Another run may have had more luck with one that failed here.
  const finalNow = new Set(hasFailed ? await finalDays().catch(() => []) : []);
  const stateOf = ({ day, end }: { day: UtcDay; end: DayEnd }) => (finalNow.has(day) ? 'final' : end.state);

  const result: Result = {
    chain: served.name,
    start_date: startDate,
    end_date: endDate,
    final_before: daysBetween(startDate, endDate).length - missing.length,
    days: ends.filter((one) => stateOf(one) === 'final').map(({ day }) => day),
    failed: ends.flatMap(({ day, end }) =>
      end.state === 'failed' && !finalNow.has(day) ? [{ date: day, reason: end.reason }] : [],
    ),
    left: ends.filter((one) => stateOf(one) === 'interrupted').map(({ day }) => day),
    blocks: watch.blocks(),
    seconds: (Date.now() - startedAt) / 1_000,
  };
  printResult(options, result, textOf(result));
  if (result.left.length > 0) printNote(howToGoOn(result, service, options));
  if (interrupted.aborted) process.exitCode = exitCodes.interrupted;
  else if (result.failed.length > 0) process.exitCode = exitCodes.checkFailed;
}

function howToGoOn({ left, chain }: Result, { flags }: OperatedService, options: Options): string {
  const { startDate, endDate, daysAtOnce, rpcUrl } = options;
  const range = ['--chain', chain, '--start-date', startDate, '--end-date', endDate];
  const line = commandLine(flags, 'ingest', ...range, '--days-at-once', String(daysAtOnce));
  const days = `${pluralize(left.length, 'day')} left`;
  return [
    interrupted.aborted ? `${days}; what was read of them is saved.` : `${days}, which were not tried.`,
    // A URL may hold a secret, so that it is not repeated.
    `Go on with: ${line}${rpcUrl ? ' --rpc-url …' : ''}`,
  ].join(' ');
}

/** Brings each day to its end, some at a time, in their order. Where nobody can be reached, the others are not tried. */
function ingestAll(
  days: readonly UtcDay[],
  atOnce: number,
  { onEnd, ...work }: Omit<DayWork, 'signal'> & { readonly onEnd: (day: UtcDay) => void },
): Promise<{ day: UtcDay; end: DayEnd }[]> {
  const unreachable = new AbortController();
  const signal = AbortSignal.any([interrupted, unreachable.signal]);
  return pMap(
    days,
    async (day) => {
      const end: DayEnd = signal.aborted
        ? { state: 'interrupted' }
        : await ingestDayFully({ ...work, signal }, day);
      if (end.state === 'failed' && end.isUnreachable) unreachable.abort();
      else if (end.state !== 'interrupted') onEnd(day);
      return { day, end };
    },
    { concurrency: atOnce },
  );
}

/** @throws CommandError when some of it cannot be final */
function checkRange({ chain }: ServedChain, first: UtcDay, last: UtcDay): void {
  const yesterday = addDays(dayOf(Date.now() / 1_000), -1);
  const problem =
    first < chain.firstDay
      ? `${chain.name} begins on ${chain.firstDay}: there is no --start-date ${first}.`
      : last > yesterday
        ? `--end-date ${last} is not over: the last day that is, is ${yesterday}.`
        : undefined;
  if (problem) throw new CommandError(problem, exitCodes.usage);
}

/** Shows how far some days are. A day's share of the work is how far its blocks have come by their time. */
function watchDays(days: readonly UtcDay[]) {
  const progress: Progress = startProgress('blocks');
  const shares = new Map<UtcDay, number>();
  let blocks = 0;
  let over = 0;
  const show = () => {
    const share = [...shares.values()].reduce((sum, one) => sum + one, 0) / days.length;
    progress.update(share, blocks, `${formatCount(over)} of ${pluralize(days.length, 'day')}`);
  };
  return {
    progress,
    blocks: () => blocks,
    onBlock: (day: UtcDay, { timestamp }: { readonly timestamp: number }) => {
      blocks += 1;
      shares.set(day, shareOfDay(day, timestamp));
      show();
    },
    onEnd: (day: UtcDay) => {
      over += 1;
      shares.set(day, 1);
      show();
    },
  };
}

function textOf(result: Result): string {
  const { chain, final_before, days, failed, left, blocks, seconds } = result;
  const read = `${pluralize(days.length, 'day')}, ${pluralize(blocks, 'block')}, in ${formatDuration(seconds)}`;
  const isNothingToDo = days.length + failed.length + left.length === 0;
  if (isNothingToDo) return `${chain}: ${pluralize(final_before, 'day')} of the range, all final already.`;
  return [
    days.length > 0
      ? `${chain} is final now: ${groupIntoRanges(days).map(formatRange).join(', ')} (${read}).`
      : `No day of ${chain} became final.`,
    ...(final_before > 0 ? [`${pluralize(final_before, 'day')} of the range had been final before.`] : []),
    ...byReason(failed).map(
      ([reason, dates]) => `${groupIntoRanges(dates).map(formatRange).join(', ')} failed: ${reason}`,
    ),
  ].join('\n');
}

/** Many days may fail for one reason. */
function byReason(failed: Result['failed']): [reason: string, dates: UtcDay[]][] {
  const dates = new Map<string, UtcDay[]>();
  for (const { date, reason } of failed) dates.set(reason, [...(dates.get(reason) ?? []), date]);
  return [...dates];
}
