import type { Command } from 'commander';
import type { ChainName } from '../../core/chains/chains.ts';
import { plannedFirstDay } from '../../core/days/first-day.ts';
import { addDays, dayOf, earlier, later, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import { listEvidence, queryDays } from '../../core/store/days/days.ts';
import { listWaitingDays } from '../../core/store/days/waiting-days.ts';
import { type CountedRange, formatRange, groupIntoRanges, missingDays } from '../day-ranges.ts';
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
import { commandLine, formatDuration, formatTable, pluralize, printResult } from '../print.ts';
import { chainsOf, type ServedChain } from '../service.ts';
import { describeUnlinked, unlinkedDays } from '../unlinked-days.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
}

/** The final, waiting and missing days of a chain. */
type ChainCoverage = Awaited<ReturnType<typeof readCoverage>>;

export const coverageCommand = (): Command =>
  withExamples(
    serviceCommand(
      'coverage',
      'Shows which days of each chain are final, which wait or are missing, and whether they are contiguous.',
    )
      .addOption(chainsOption())
      .addOption(
        dayOption('--start-date <day>', 'first day to check (default: first final or scheduled day)'),
      )
      .addOption(dayOption('--end-date <day>', 'last day to check (default: yesterday)'))
      .action(coverage),
    'coverage',
    'coverage --chain ETHEREUM --start-date 365-days-ago',
    'coverage --stage prod --json',
  );

async function coverage(options: Options): Promise<void> {
  checkOrder(options);
  const service = await findService(options);
  const chains = chainsOf(service, options.chain);
  const now = Date.now() / 1_000;
  checkRange(chains, options, addDays(dayOf(now), -1));
  const coverages = await Promise.all(chains.map((served) => readCoverage(served, options, now)));
  printResult(options, coverages, formatSummary(coverages, service.flags));
  if (coverages.some(hasGap) || coverages.some(({ unlinked }) => unlinked.length > 0))
    process.exitCode = exitCodes.checkFailed;
}

/** @throws CommandError when no chain has a complete day in the range */
function checkRange(
  chains: readonly ServedChain[],
  { startDate, endDate }: Options,
  yesterday: UtcDay,
): void {
  if (startDate !== undefined && startDate > yesterday) {
    throw usageError(
      `--start-date ${startDate} is after the last complete day (UTC), ${yesterday}. Choose an earlier day.`,
    );
  }
  const begin = chains.map(({ chain }) => chain.firstDay).reduce(earlier);
  if (endDate !== undefined && endDate < begin) {
    throw usageError(
      `--end-date ${endDate} is before the first day of these chains, ${begin}. Choose a later day.`,
    );
  }
}

/** Missing days after the last final day are late, not a gap. */
const hasGap = ({ missing, last_final_day = '' }: ChainCoverage) =>
  missing.some(({ start_date }) => start_date < last_final_day);

/** @param now seconds */
async function readCoverage(
  { name, chain, store, from }: ServedChain,
  { startDate, endDate }: Options,
  now: number,
) {
  const yesterday = addDays(dayOf(now), -1);
  const end = earlier(endDate ?? yesterday, yesterday);
  const planned = await plannedFirstDay(store, chain, from, now * 1_000);
  const firstRead = startDate ?? chain.firstDay;
  const isInRange = (day: UtcDay) => day >= firstRead && day <= end;
  const final = (await listEvidence(store)).filter(({ date }) => isInRange(date));
  const finalDays = final.map(({ date }) => date);
  const waiting = (await listWaitingDays(store)).map(({ progress }) => progress.day).filter(isInRange);
  const [first, last] = [finalDays[0], finalDays.at(-1)];
  const start = later(startDate ?? (first ? earlier(first, planned) : planned), chain.firstDay);
  return {
    chain: name,
    // The days that were checked.
    start_date: start,
    end_date: end,
    first_final_day: first,
    last_final_day: last,
    final_days: final.length,
    proven_days: final.filter(({ evidence }) => evidence === 'proven').length,
    // Read, final once the day after is.
    waiting: groupIntoRanges(waiting.filter((day) => !finalDays.includes(day))),
    missing: groupIntoRanges(missingDays(start, end, [...finalDays, ...waiting])),
    unlinked: unlinkedDays(await queryDays(store, firstRead, end)),
    // Seconds since the last final day ended; absent when the range ends before yesterday.
    ...(last &&
      end === yesterday && { data_age_seconds: Math.max(0, Math.round(now - startOfDay(addDays(last, 1)))) }),
  };
}

/** Formats what is not as it should be, and the table last, so that it stays on the screen. */
function formatSummary(coverages: readonly ChainCoverage[], flags: string): string {
  const rows = coverages.map((coverage) => [
    coverage.chain,
    coverage.first_final_day ?? 'none',
    coverage.last_final_day ?? '',
    coverage.final_days,
    coverage.proven_days,
    sum(coverage.waiting),
    sum(coverage.missing),
    coverage.data_age_seconds === undefined ? '' : formatDuration(coverage.data_age_seconds),
  ]);
  const lists = coverages.flatMap((coverage) => linesOf(coverage, flags));
  const table = formatTable(
    ['chain', 'first', 'last', 'final days', 'proven', 'waiting', 'missing', 'ended ago'],
    rows,
  );
  return lists.length > 0 ? `${lists.join('\n')}\n\n${table}` : table;
}

const sum = (ranges: readonly CountedRange[]) => ranges.reduce((sum, { days }) => sum + days, 0);

function linesOf(coverage: ChainCoverage, flags: string): string[] {
  const { chain, missing, waiting, unlinked } = coverage;
  const days = (count: number) => pluralize(count, 'day');
  const lines: string[] = [];
  if (waiting.length > 0)
    lines.push(`${chain}: ${days(sum(waiting))} read, final once the day after is: ${formatRanges(waiting)}`);
  const gap = missing.at(-1);
  if (gap) {
    const range = ['--start-date', gap.start_date, '--end-date', gap.end_date];
    const which = missing.length === 1 ? 'it' : 'the last range';
    lines.push(
      `${chain} is missing ${days(sum(missing))}: ${formatRanges(missing)}`,
      `  To ingest ${which}: ${commandLine(flags, 'ingest', '--chain', chain, ...range)}`,
    );
  }
  return [...lines, ...describeUnlinked(chain, unlinked)];
}

const LISTED_RANGES = 6;

/** Lists the last ranges: a long history may have hundreds. */
function formatRanges(ranges: readonly CountedRange[]): string {
  const earlierRanges = ranges.length - LISTED_RANGES;
  const listed = ranges.slice(-LISTED_RANGES).map(formatRange).join(', ');
  return earlierRanges > 0
    ? `${listed}, and ${pluralize(earlierRanges, 'earlier range')} (--json lists all)`
    : listed;
}
