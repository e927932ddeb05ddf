import type { Command } from 'commander';
import type { ChainName } from '../../core/chains/chains.ts';
import { earlier, later } from '../../core/figures/calendar.ts';
import { exitCodes, usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import {
  type CommonOptions,
  chainsOption,
  checkOrder,
  dayOption,
  serviceCommand,
  withExamples,
} from '../options.ts';
import { printResult } from '../print.ts';
import { chainsOf, type ServedChain } from '../service.ts';
import { type ChainStatus, type CheckedRange, readStatus, yesterday } from '../status/read-status.ts';
import { showStatus } from '../status/show-status.ts';

interface Options extends CommonOptions, CheckedRange {
  readonly chain?: readonly ChainName[];
}

export const statusCommand = (): Command =>
  withExamples(
    serviceCommand(
      'status',
      'Shows which days of each chain are final or missing, how far its ingest is behind, what is wrong, and what to type next.',
    )
      .addOption(chainsOption())
      .addOption(
        dayOption('--start-date <day>', 'first day to check (default: first final or scheduled day)'),
      )
      .addOption(dayOption('--end-date <day>', 'last day to check (default: yesterday)'))
      .action(status),
    'status',
    'status --stage prod --json',
    'status --chain ETHEREUM --start-date 365-days-ago',
  );

async function status(options: Options): Promise<void> {
  checkOrder(options);
  const service = await findService(options);
  const chains = chainsOf(service, options.chain);
  checkRange(chains, options);
  const statuses = await Promise.all(chains.map((served) => readStatus(served, options)));
  printResult(options, statuses, showStatus(statuses, service.flags));
  if (statuses.some(isFaulty)) process.exitCode = exitCodes.checkFailed;
}

/** @throws CommandError when no chain has a complete day in the range */
function checkRange(chains: readonly ServedChain[], { startDate, endDate }: CheckedRange): void {
  const last = yesterday();
  if (startDate !== undefined && startDate > last) {
    throw usageError(
      `--start-date ${startDate} is after the last complete day (UTC), ${last}. Choose an earlier day.`,
    );
  }
  const begin = chains.map(({ chain }) => chain.firstDay).reduce(earlier);
  if (endDate !== undefined && endDate < begin) {
    throw usageError(
      `--end-date ${endDate} is before the first day of these chains, ${begin}. Choose a later day.`,
    );
  }
}

/** Missing days after the last stored day are late, not a gap. */
function isFaulty({ conflicts, unlinked, missing, gap, ...days }: ChainStatus): boolean {
  const lastStored = later(days.last_final_day ?? '', days.last_archived_day ?? '');
  return (
    conflicts.length > 0 ||
    unlinked.length > 0 ||
    missing.some(({ start_date: first, end_date: last }) => {
      const isOnPurpose = first === gap && last === gap;
      return first < lastStored && !isOnPurpose;
    })
  );
}
