import type { Command } from 'commander';
import type { ChainName } from '../../lambda/chains/chains.ts';
import { addDays, dayOf, earlier, later, startOfDay, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { type DayFigures, queryDays } from '../../lambda/store/days.ts';
import { type DayRange, formatRange, groupIntoRanges, missingDays } from '../day-ranges.ts';
import { exitCodes } from '../exit-codes.ts';
import { HEAT_MAP_LEGEND, heatMap } from '../heat-map.ts';
import { openService } from '../open-service.ts';
import {
  type CommonOptions,
  chainsOption,
  checkOrder,
  dayOption,
  serviceCommand,
  withExamples,
} from '../options.ts';
import { formatDuration, formatTable, pluralize, printResult } from '../print.ts';
import { chainsOf, type OperatedService, type ServedChain } from '../service.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
}

/** What is known of a chain's days. */
interface ChainCoverage {
  readonly chain: string;
  /** The days that were looked at. */
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  readonly first_final_day?: UtcDay | undefined;
  readonly last_final_day?: UtcDay | undefined;
  readonly final_days: number;
  readonly missing: readonly DayRange[];
  /** Seconds since the last final day ended; absent when the range ends before yesterday. */
  readonly lag_seconds?: number;
}

export const coverageCommand = (): Command =>
  withExamples(
    serviceCommand('coverage', 'Shows which days of each chain are final, and which are missing.')
      .addOption(chainsOption())
      .addOption(
        dayOption('--start-date <day>', 'first day to look at (default: the first there is or is to be)'),
      )
      .addOption(dayOption('--end-date <day>', 'last day to look at (default: yesterday)'))
      .action(coverage),
    'coverage',
    'coverage --chain ETHEREUM --start-date 2026-10-01',
    'coverage --stage prod --json',
  );

async function coverage(options: Options): Promise<void> {
  checkOrder(options);
  const service = await openService(options);
  const now = Date.now() / 1_000;
  const found = await Promise.all(
    chainsOf(service, options.chain).map(async (served) => {
      const days = await readDays(served, options, dayOf(now));
      return { days, coverage: coverageOf(served, days, options, now) };
    }),
  );
  const coverages = found.map(({ coverage }) => coverage);
  const maps = found.map(({ days, coverage }) => showMap(days, coverage));
  printResult(options, coverages, [summaryOf(coverages), ...maps, HEAT_MAP_LEGEND].join('\n\n'));
  if (coverages.some(hasHole)) process.exitCode = exitCodes.checkFailed;
}

/** Days that are missing after the last one are only late. */
const hasHole = ({ missing, last_final_day = '' }: ChainCoverage) =>
  missing.some(({ start_date }) => start_date < last_final_day);

async function readDays(
  { chain, store }: ServedChain,
  options: Options,
  today: UtcDay,
): Promise<readonly DayFigures[]> {
  const first = options.startDate ?? chain.firstDay;
  const last = earlier(options.endDate ?? today, today);
  return first <= last ? queryDays(store, first, last) : [];
}

/** @param now seconds */
function coverageOf(
  { name, chain, from }: ServedChain,
  days: readonly DayFigures[],
  { startDate, endDate }: Options,
  now: number,
): ChainCoverage {
  const yesterday = addDays(dayOf(now), -1);
  const first = days[0]?.day;
  const last = days.at(-1)?.day;
  const start = later(startDate ?? (first ? earlier(first, from) : from), chain.firstDay);
  const end = earlier(endDate ?? yesterday, yesterday);
  const final = days.map(({ day }) => day);
  return {
    chain: name,
    start_date: start,
    end_date: end,
    first_final_day: first,
    last_final_day: last,
    final_days: days.length,
    missing: groupIntoRanges(missingDays(start, end, final)),
    ...(last &&
      end === yesterday && { lag_seconds: Math.max(0, Math.round(now - startOfDay(addDays(last, 1)))) }),
  };
}

function summaryOf(coverages: readonly ChainCoverage[]): string {
  const missingOf = ({ missing }: ChainCoverage) => missing.reduce((sum, { days }) => sum + days, 0);
  const rows = coverages.map((coverage) => [
    coverage.chain,
    coverage.first_final_day ?? 'none yet',
    coverage.last_final_day ?? '',
    coverage.final_days,
    missingOf(coverage),
    coverage.lag_seconds === undefined ? '' : formatDuration(coverage.lag_seconds),
  ]);
  const lists = coverages
    .filter(({ missing }) => missing.length > 0)
    .map(
      (coverage) =>
        `${coverage.chain} misses ${pluralize(missingOf(coverage), 'day')}: ${listed(coverage.missing)}`,
    );
  return [formatTable(['chain', 'first', 'last', 'final days', 'missing', 'lag'], rows), ...lists].join(
    '\n\n',
  );
}

const listed = (ranges: readonly DayRange[]) => ranges.map(formatRange).join(', ');

/** As many weeks as the terminal is wide, and a year at most. */
function showMap(days: readonly DayFigures[], { chain, start_date, end_date }: ChainCoverage): string {
  const weeks = Math.min(53, (process.stdout.columns ?? 80) - 6);
  const values = new Map(days.map(({ day, totals }) => [day, totals.transactions]));
  return `${chain}\n${heatMap(values, { first: start_date, last: end_date, weeks })}`;
}
