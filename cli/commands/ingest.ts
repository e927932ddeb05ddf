import type { Command } from 'commander';
import type { ChainName } from '../../core/chains/chains.ts';
import { addDays, dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import { listFinalDays } from '../../core/store/days/days.ts';
import { daysBetween, missingDays, shareOfDay } from '../day-ranges.ts';
import { upstreamsOf } from '../endpoints.ts';
import { exitCodes, usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { ingestDayFully } from '../ingest-day.ts';
import {
  formatResult,
  groupByState,
  type IngestResult,
  ingestAll,
  publishWaiting,
  stateNow,
} from '../ingested-days.ts';
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
import { commandLine, formatCount, pluralize, printNote, printResult } from '../print.ts';
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
  const { onBlock, onEnd } = progress;
  const read = (day: UtcDay, signal: AbortSignal) =>
    ingestDayFully({ served, upstreams, onBlock, signal }, day);
  const results = await ingestAll(missing.toReversed(), options.daysAtOnce, read, onEnd).finally(
    progress.end,
  );
  const isWaiting = results.some(({ result }) => result.state === 'waiting');
  const whyWaiting = isWaiting ? await publishWaiting(served, upstreams) : '';
  const now = await stateNow(served, startDate).catch(() => undefined);
  const result = {
    chain: served.name,
    start_date: startDate,
    end_date: endDate,
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
