import type { Command } from 'commander';
import pMap from 'p-map';
import type { ChainName } from '../../core/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import { quorumOf } from '../../core/ingest/hosts.ts';
import { ingestChain } from '../../core/ingest/run.ts';
import type { Upstream } from '../../core/rpc/upstream.ts';
import { listFinalDays } from '../../core/store/days.ts';
import { listWaitingDays } from '../../core/store/waiting-days.ts';
import { daysBetween, formatRange, groupIntoRanges, missingDays, shareOfDay } from '../day-ranges.ts';
import { upstreamsOf } from '../endpoints.ts';
import { exitCodes, usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { type DayResult, type DayWork, ingestDayFully } from '../ingest-day.ts';
import { interrupted } from '../interrupt.ts';
import {
  type CommonOptions,
  chainOption,
  checkOrder,
  dayOption,
  readInteger,
  rpcUrlOption,
  serviceCommand,
  withExamples,
  withRpcUrl,
} from '../options.ts';
import { commandLine, formatCount, formatDuration, pluralize, printNote, printResult } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import { chainIn, type OperatedService, type ServedChain } from '../service.ts';

interface Options extends CommonOptions {
  readonly chain: ChainName;
  readonly startDate: UtcDay;
  readonly endDate: UtcDay;
  readonly daysAtOnce: number;
  readonly rpcUrl?: readonly string[];
}

export const ingestCommand = (): Command =>
  withExamples(
    serviceCommand(
      'ingest',
      'Reads the missing days of a range into the table, from this machine, several at once, the newest first. Skips final days.',
    )
      .addOption(chainOption())
      .addOption(dayOption('--start-date <day>', 'first day').makeOptionMandatory())
      .addOption(dayOption('--end-date <day>', 'last day').makeOptionMandatory())
      .option('--days-at-once <number>', 'days to read at once', readInteger(1, 32), 4)
      .addOption(rpcUrlOption('read only these endpoints, in this order (default: those of the service)'))
      .action(ingest),
    'ingest --chain ETHEREUM --start-date 30-days-ago --end-date yesterday',
    'ingest --stage prod --chain BASE --start-date 30-days-ago --end-date yesterday --rpc-url https://node.example/key',
  );

async function ingest(options: Options): Promise<void> {
  checkOrder(options);
  const service = await findService(options);
  const served = chainIn(service, options.chain);
  const { startDate, endDate } = options;
  checkRange(served, startDate, endDate);
  const missing = missingDays(startDate, endDate, await listFinalDays(served.store, startDate));
  const upstreams = await upstreamsOf(served, options.rpcUrl);

  const startedAt = Date.now();
  const progress = startDaysProgress(missing);
  const results = await ingestAll(missing.toReversed(), options.daysAtOnce, {
    served,
    upstreams,
    onBlock: progress.onBlock,
    onEnd: progress.onEnd,
  }).finally(progress.end);
  const isWaiting = results.some(({ result }) => result.state === 'waiting');
  const whyWaiting = isWaiting ? await publishWaiting(served, upstreams) : '';
  const now = await stateNow(served, startDate).catch(() => undefined);
  const result = {
    chain: served.name,
    start_date: startDate,
    end_date: endDate,
    // Days of the range that were already final.
    final_before: daysBetween(startDate, endDate).length - missing.length,
    ...groupByState(results, now, whyWaiting),
    blocks: progress.blocks(),
    seconds: (Date.now() - startedAt) / 1_000,
  };
  printResult(options, result, formatResult(result));
  if (result.left.length > 0) printNote(howToContinue(result, service, options));
  if (interrupted.aborted) process.exitCode = exitCodes.interrupted;
  else if (result.failed.length > 0) process.exitCode = exitCodes.failed;
}

/** @throws CommandError when a day of the range cannot be final */
function checkRange({ chain }: ServedChain, first: UtcDay, last: UtcDay): void {
  const yesterday = addDays(dayOf(Date.now() / 1_000), -1);
  if (first < chain.firstDay)
    throw usageError(
      `--start-date ${first} is before the first day of ${chain.name}. Choose ${chain.firstDay} or later.`,
    );
  if (last > yesterday)
    throw usageError(`--end-date ${last} is not complete yet. Choose ${yesterday} (UTC) or earlier.`);
}

interface IngestedDay {
  readonly day: UtcDay;
  readonly result: DayResult;
}

/** Ingests days in the given order, `atOnce` at a time. Starts no more once the endpoints or the table are unreachable. */
function ingestAll(
  days: readonly UtcDay[],
  atOnce: number,
  { onEnd, ...work }: Omit<DayWork, 'signal'> & { readonly onEnd: (day: UtcDay) => void },
): Promise<IngestedDay[]> {
  const unreachable = new AbortController();
  const signal = AbortSignal.any([interrupted, unreachable.signal]);
  return pMap(
    days,
    async (day) => {
      const result: DayResult = signal.aborted
        ? { state: 'interrupted' }
        : await ingestDayFully({ ...work, signal }, day);
      if (result.state === 'failed' && result.isUnreachable) unreachable.abort();
      else if (result.state !== 'interrupted') onEnd(day);
      return { day, result };
    },
    { concurrency: atOnce },
  );
}

interface IngestResult extends ReturnType<typeof groupByState> {
  readonly chain: string;
  readonly final_before: number;
  readonly blocks: number;
  readonly seconds: number;
}

/**
 * Publishes the days that still wait, which is the last step of reading many at once.
 * @returns why days may still wait
 */
async function publishWaiting(served: ServedChain, upstreams: readonly Upstream[]): Promise<string> {
  if (interrupted.aborted) return 'the command was stopped before it published them';
  const run = { ...served, upstreams, signal: interrupted, stopAt: Number.POSITIVE_INFINITY };
  const { outcome, reason = `publishing them ended with: ${outcome}` } = await ingestChain({
    ...run,
    isClosing: true,
  });
  if (outcome !== 'up to date') return reason;
  return quorumOf(served, upstreams) === 1
    ? 'a quorum of 1 cannot confirm the block after them'
    : 'too few hosts confirm the block after them';
}

/** The days that are final or wait now. Another run may have ingested a day that failed here. */
type StateNow = Awaited<ReturnType<typeof stateNow>>;

async function stateNow({ store }: ServedChain, first: UtcDay) {
  const [final, waiting] = await Promise.all([listFinalDays(store, first), listWaitingDays(store)]);
  return { final: new Set(final), waiting: new Set(waiting.map(({ progress }) => progress.day)) };
}

function groupByState(results: readonly IngestedDay[], now: StateNow | undefined, whyWaiting: string) {
  const ends = results
    .map(({ day, result }) => ({ day, result: resultNow(day, result, now) }))
    .toSorted((a, b) => a.day.localeCompare(b.day));
  const daysIn = (state: DayResult['state']) =>
    ends.filter(({ result }) => result.state === state).map(({ day }) => day);
  return {
    // Days that became final.
    days: daysIn('final'),
    waiting: daysIn('waiting').map((date) => ({ date, reason: whyWaiting })),
    failed: ends.flatMap(({ day, result }) =>
      result.state === 'failed' ? [{ date: day, reason: result.reason }] : [],
    ),
    // Days that were interrupted or not started.
    left: daysIn('interrupted'),
  };
}

/** @param now undefined when the table could not be read */
function resultNow(day: UtcDay, result: DayResult, now: StateNow | undefined): DayResult {
  if (now?.final.has(day)) return { state: 'final' };
  if (result.state !== 'waiting' || !now || now.waiting.has(day)) return result;
  const reason = 'its last block was contradicted, so its blocks were discarded; run the command again';
  return { state: 'failed', reason, isUnreachable: false };
}

/** Shows progress over several days. The share of a day is the time of its last block. */
function startDaysProgress(days: readonly UtcDay[]) {
  const progress = startProgressBar('blocks');
  const shares = new Map<UtcDay, number>();
  let blocks = 0;
  let ended = 0;
  const show = () => {
    const share = [...shares.values()].reduce((sum, one) => sum + one, 0) / days.length;
    progress.update(share, blocks, `${formatCount(ended)} of ${pluralize(days.length, 'day')}`);
  };
  return {
    end: progress.end,
    blocks: () => blocks,
    onBlock: (day: UtcDay, { timestamp }: { readonly timestamp: number }) => {
      blocks += 1;
      shares.set(day, shareOfDay(day, timestamp));
      show();
    },
    onEnd: (day: UtcDay) => {
      ended += 1;
      shares.set(day, 1);
      show();
    },
  };
}

function formatResult(result: IngestResult): string {
  const { chain, final_before, days, waiting, failed, left, blocks, seconds } = result;
  const alreadyFinal = `${pluralize(final_before, 'day')} of the range ${final_before === 1 ? 'was' : 'were'} already final.`;
  if (days.length + waiting.length + failed.length + left.length === 0) {
    return `${chain}: nothing to do. ${alreadyFinal}`;
  }
  const read = `${pluralize(blocks, 'block')} in ${formatDuration(seconds)}`;
  return [
    days.length > 0
      ? `${chain}: ${pluralize(days.length, 'day')} became final: ${formatDays(days)} (${read}).`
      : `${chain}: no day became final (${read}).`,
    ...(final_before > 0 ? [alreadyFinal] : []),
    ...groupByReason(waiting).map(
      ([reason, dates]) => `${dates} read, final once the day after is: ${reason}.`,
    ),
    ...groupByReason(failed).map(([reason, dates]) => `${dates} failed: ${reason}`),
  ].join('\n');
}

const groupByReason = (days: readonly { readonly date: UtcDay; readonly reason: string }[]) =>
  [...Map.groupBy(days, ({ reason }) => reason)].map(
    ([reason, list]) => [reason, formatDays(list.map(({ date }) => date))] as const,
  );

const formatDays = (days: readonly UtcDay[]) => groupIntoRanges(days).map(formatRange).join(', ');

function howToContinue({ left, chain }: IngestResult, { flags }: OperatedService, options: Options): string {
  const { startDate, endDate, daysAtOnce, rpcUrl } = options;
  const range = ['--chain', chain, '--start-date', startDate, '--end-date', endDate];
  const line = commandLine(flags, 'ingest', ...range, '--days-at-once', String(daysAtOnce));
  const days = pluralize(left.length, 'day');
  return [
    interrupted.aborted
      ? `Stopped: ${days} remaining. Blocks read so far are saved.`
      : `${days} not started, because the endpoints or the table are unreachable.`,
    `To continue: ${withRpcUrl(line, rpcUrl)}`,
  ].join(' ');
}
