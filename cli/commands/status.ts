import type { Command } from 'commander';
import type { ChainName } from '../../core/chains/chains.ts';
import { plannedFirstDay } from '../../core/days/first-day.ts';
import { addDays, dayOf, earlier, later, type UtcDay } from '../../core/figures/calendar.ts';
import { dataAgeSeconds } from '../../core/ingest/freshness.ts';
import { FINAL_BLOCK, FINALITY, listConflicts, subjectOf } from '../../core/store/chain/conflicts.ts';
import { getFinality } from '../../core/store/chain/finality-state.ts';
import { getLag } from '../../core/store/chain/lag.ts';
import { provenFeesPercent } from '../../core/store/days/archived-days.ts';
import { abbreviate, describeBlock } from '../../core/store/days/compare-figures.ts';
import { listEvidence } from '../../core/store/days/days.ts';
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
import { commandLine, formatDuration, formatTable, formatTime, pluralize, printResult } from '../print.ts';
import { chainsOf, type ServedChain } from '../service.ts';

interface Options extends CommonOptions {
  readonly chain?: readonly ChainName[];
  readonly startDate?: UtcDay;
  readonly endDate?: UtcDay;
}

type ChainStatus = Awaited<ReturnType<typeof readStatus>>;

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

const yesterday = (): UtcDay => addDays(dayOf(Date.now() / 1_000), -1);

/** @throws CommandError when no chain has a complete day in the range */
function checkRange(chains: readonly ServedChain[], { startDate, endDate }: Options): void {
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

/** Missing days after the last final day are late, not a gap. */
const isFaulty = ({ conflicts, unlinked, missing, gap, last_final_day = '' }: ChainStatus): boolean =>
  conflicts.length > 0 ||
  unlinked.length > 0 ||
  missing.some(({ start_date: first, end_date: last }) => {
    const isOnPurpose = first === gap && last === gap;
    return first < last_final_day && !isOnPurpose;
  });

async function readStatus(served: ServedChain, options: Options) {
  const { name: chain, store } = served;
  const [days, lag, conflicts, dataAge, { state, checkpoint }] = await Promise.all([
    readDays(served, options),
    getLag(store),
    listConflicts(store),
    dataAgeSeconds(store),
    getFinality(store),
  ]);
  const isDisputed = conflicts.some((conflict) => subjectOf(conflict) === FINAL_BLOCK);
  return {
    chain,
    ...days,
    // Seconds since the last final day ended.
    data_age_seconds: dataAge,
    // Seconds from the newest counted block to the finalized one, when the last run ended. Unknown while that one is disputed.
    seconds_behind: isDisputed ? undefined : lag?.seconds,
    last_run_at: lag && new Date(lag.seenAt).toISOString(),
    // The reason why the last run failed.
    problem: lag?.problem,
    // The newest block that the chain itself proves to be final, and the checkpoint where its proofs began.
    proven_block: state?.block,
    checkpoint,
    conflicts: conflicts.map((conflict) => ({
      date: subjectOf(conflict),
      since: new Date(conflict.since).toISOString(),
      reason: conflict.reason,
    })),
  };
}

/** Reads which days of the range are final, wait or are missing. */
async function readDays({ chain, store, from, gap }: ServedChain, { startDate, endDate }: Options) {
  const end = earlier(endDate ?? yesterday(), yesterday());
  const [planned, evidence, waitingDays] = await Promise.all([
    plannedFirstDay(store, chain, from, Date.now()),
    listEvidence(store),
    listWaitingDays(store),
  ]);
  const isInRange = (day: UtcDay) => day >= (startDate ?? chain.firstDay) && day <= end;
  const final = evidence.filter(({ date }) => isInRange(date));
  const finalDays = final.map(({ date }) => date);
  const waiting = waitingDays.map(({ progress }) => progress.day).filter(isInRange);
  const [first, last] = [finalDays[0], finalDays.at(-1)];
  const start = later(startDate ?? (first ? earlier(first, planned) : planned), chain.firstDay);
  const missing = missingDays(start, end, [...finalDays, ...waiting]);
  const archived = final.filter((day) => day.evidence === 'archived').length;
  return {
    // The days that were checked.
    start_date: start,
    end_date: end,
    first_final_day: first,
    last_final_day: last,
    final_days: final.length,
    proven_days: final.filter((day) => day.evidence === 'proven').length,
    // Only of a chain with days from archives.
    archived_days: archived || undefined,
    proven_fees_percent: archived > 0 ? await provenFeesPercent(store) : undefined,
    // Read, final once the day after is.
    waiting: groupIntoRanges(waiting.filter((day) => !finalDays.includes(day))),
    missing: groupIntoRanges(missing),
    // The day that npm start leaves out on purpose, until someone ingests it.
    gap: gap !== undefined && missing.includes(gap) ? gap : undefined,
    unlinked: unlinkedDays(final),
  };
}

/** Returns the days that do not continue the final day before them. @param days ascending */
const unlinkedDays = (days: Awaited<ReturnType<typeof listEvidence>>) =>
  days.flatMap(({ date, parent_hash }, index) => {
    const before = days[index - 1];
    if (!before || addDays(before.date, 1) !== date || before.last_block.hash === parent_hash) return [];
    return [{ date, parent_hash, last_block_before: before.last_block }];
  });

/** Shows what is not as it should be, with the command to type next, and the table last, so that it stays on the screen. */
function showStatus(chains: readonly ChainStatus[], flags: string): string {
  const head = ['chain', 'first', 'last', 'final', 'proven', 'missing', 'behind', 'ran ago'];
  // At most 80 columns wide.
  const rows = chains.map((one) => [
    one.chain,
    one.first_final_day ?? 'none',
    one.last_final_day ?? '',
    one.final_days,
    one.proven_days,
    sum(one.missing),
    one.seconds_behind === undefined ? '' : formatDuration(one.seconds_behind),
    one.last_run_at === undefined ? '' : formatDuration((Date.now() - Date.parse(one.last_run_at)) / 1_000),
  ]);
  const proven = chains.flatMap(({ chain, proven_block: block }) =>
    block ? [`${chain} ${block.number ?? block.hash}`] : [],
  );
  return [
    ...chains.flatMap((one) => [
      ...one.conflicts.map((conflict) => describeConflict(one.chain, conflict, flags)),
      ...(one.problem === undefined ? [] : [`${one.chain}: the last run failed. ${one.problem}`]),
      ...describeDays(one, flags),
      ...describeArchived(one),
      ...describeUnlinked(one),
    ]),
    ...(proven.length > 0 ? [`Newest block that is proven to be final: ${proven.join(', ')}.`] : []),
    formatTable(head, rows),
  ].join('\n\n');
}

const sum = (ranges: readonly CountedRange[]) => ranges.reduce((sum, { days }) => sum + days, 0);

function describeConflict(
  chain: ChainName,
  { date, since, reason }: ChainStatus['conflicts'][number],
  flags: string,
): string {
  const end = () => {
    if (date === FINALITY) return 'It ends with the next proof.';
    const words = ['--chain', chain, '--date', date];
    const settle = `  ${commandLine(flags, 'restate', '--settle', ...words)}`;
    if (date === FINAL_BLOCK) return `It ends when the hosts agree. To end it now:\n${settle}`;
    const verify = `  ${commandLine(flags, 'verify', ...words)}`;
    return `To verify the day, and to settle the conflict if it is right:\n${verify}\n${settle}`;
  };
  return `${chain} ${date}, since ${formatTime(since)} UTC: ${reason}\n${end()}`;
}

function describeDays({ chain, waiting, missing, gap }: ChainStatus, flags: string): string[] {
  const lines: string[] = [];
  if (waiting.length > 0) {
    const read = `${pluralize(sum(waiting), 'day')} read, final once the day after is`;
    lines.push(`${chain}: ${read}: ${formatRanges(waiting)}`);
  }
  const last = missing.at(-1);
  if (!last) return lines;
  const range = ['--start-date', last.start_date, '--end-date', last.end_date];
  const days = sum(missing);
  const problem =
    gap !== undefined && days === 1
      ? `${gap} is missing on purpose, to show a gap.`
      : `is missing ${pluralize(days, 'day')}: ${formatRanges(missing)}.`;
  const which = missing.length > 1 ? 'the last range' : days === 1 ? 'it' : 'them';
  const ingest = commandLine(flags, 'ingest', '--chain', chain, ...range);
  return [...lines, `${chain} ${problem} To ingest ${which}:\n  ${ingest}`];
}

const describeArchived = ({
  chain,
  archived_days: days,
  proven_fees_percent: percent,
}: ChainStatus): string[] =>
  days === undefined
    ? []
    : [`${chain}: ${percent ?? 0} % of the fees of its days are proven; ${pluralize(days, 'day')} archived.`];

/** The number of ranges or days to list: a long history may have hundreds. */
const LISTED = 6;

function formatRanges(ranges: readonly CountedRange[]): string {
  const others = ranges.length - LISTED;
  const listed = ranges.slice(-LISTED).map(formatRange).join(', ');
  return others > 0 ? `${listed}, and ${pluralize(others, 'earlier range')} (--json lists all)` : listed;
}

function describeUnlinked({ chain, unlinked }: ChainStatus): string[] {
  if (unlinked.length === 0) return [];
  const others = unlinked.length - LISTED;
  const lines = unlinked
    .slice(-LISTED)
    .map(
      ({ date, parent_hash: parent, last_block_before: before }) =>
        `${chain} ${date} does not continue the day before: its parent is ${abbreviate(parent)}, and that day ends with block ${describeBlock(before)}.`,
    );
  return [
    [
      ...lines,
      ...(others > 0 ? [`${chain}: and ${pluralize(others, 'earlier day')} (--json lists all).`] : []),
      'Verify both days, and restate the wrong one, the later day first.',
    ].join('\n'),
  ];
}
