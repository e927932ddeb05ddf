import { describeScheduled } from '../../core/chains/scheduled-fork.ts';
import { abbreviate, describeBlock } from '../../core/figures/block.ts';
import { earlier } from '../../core/figures/calendar.ts';
import { FINAL_BLOCK, FINALITY } from '../../core/store/chain/conflicts.ts';
import { type CountedRange, formatRange, yesterday } from '../day-ranges.ts';
import { exitCodes, usageError } from '../exit-codes.ts';
import { findService } from '../find-service.ts';
import { type ChainsOptions, chainsOption, type DayOptions, dayOption, serviceCommand } from '../options.ts';
import { commandLine, formatDuration, formatTable, formatTime, pluralize, printResult } from '../print.ts';
import { type ChainState, readStatus } from '../read-status.ts';
import { chainsOf } from '../service.ts';

export const statusCommand = () =>
  serviceCommand(
    'status',
    'Shows which days of each chain are final or missing, how far its ingest is behind, what is wrong, and what to type next.',
    ['status', 'status --chain ETHEREUM --start-date 365-days-ago'],
  )
    .addOption(chainsOption())
    .addOption(dayOption('--start-date <day>', 'first day to check (default: first final or scheduled day)'))
    .addOption(dayOption('--end-date <day>', 'last day to check (default: yesterday)'))
    .action(status);

async function status(options: ChainsOptions & DayOptions): Promise<void> {
  const service = await findService(options);
  const chains = chainsOf(service, options.chain);
  const [begin, last] = [chains.map(({ chain }) => chain.firstDay).reduce(earlier), yesterday()];
  if ((options.startDate ?? '') > last || (options.endDate ?? last) < begin)
    throw usageError(`This range has no complete day. Choose days from ${begin} to ${last} (UTC).`);
  const statuses = await Promise.all(chains.map((served) => readStatus(served, options)));
  printResult(options, statuses, showStatus(statuses, service.flags));
  if (statuses.some(isFaulty)) process.exitCode = exitCodes.checkFailed;
}

/** Missing days after the last served day are late, not a gap. */
function isFaulty({ conflicts, unlinked, missing, gap, last_served_day: last = '' }: ChainState): boolean {
  const gaps = missing.filter(({ start_date: first, end_date }) => {
    const isOnPurpose = first === gap && end_date === gap;
    return first < last && !isOnPurpose;
  });
  return conflicts.length + unlinked.length + gaps.length > 0;
}

/** Shows what is not as it should be, with the command to type next, and the table last, so that it stays on the screen. */
function showStatus(chains: readonly ChainState[], flags: string): string {
  const head = ['chain', 'first', 'last', 'final', 'proven', 'missing', 'behind', 'ran ago'];
  // At most 80 columns wide.
  const rows = chains.map((one) => [
    one.chain,
    one.first_served_day ?? 'none',
    one.last_served_day ?? '',
    one.final_days,
    one.proven_days,
    sum(one.missing),
    one.seconds_behind === undefined ? '' : formatDuration(one.seconds_behind),
    one.last_run_at === undefined ? '' : formatDuration((Date.now() - Date.parse(one.last_run_at)) / 1_000),
  ]);
  const proven = chains.flatMap(({ chain, proven_block: block }) =>
    block ? [`${chain} ${block.number ?? block.hash}`] : [],
  );
  const today = chains.flatMap(({ chain, today: day }) =>
    day
      ? [`${chain} ${day.transaction_count.toLocaleString('en')} until ${formatTime(day.through).slice(11)}`]
      : [],
  );
  return [
    ...chains.flatMap((one) => [
      ...describeConflicts(one, flags),
      ...(one.problem === undefined ? [] : [`${one.chain}: the last run failed. ${one.problem}`]),
      ...describeDays(one, flags),
      ...describeArchived(one),
      ...describeUnlinked(one),
      ...one.scheduled.map((fork) => `${one.chain}: ${describeScheduled(fork)}`),
    ]),
    ...(proven.length > 0 ? [`Newest block that is proven to be final: ${proven.join(', ')}.`] : []),
    ...(today.length > 0 ? [`Transactions today (UTC): ${today.join(', ')}.`] : []),
    formatTable(head, rows),
  ].join('\n\n');
}

const sum = (ranges: readonly CountedRange[]) => ranges.reduce((sum, { days }) => sum + days, 0);

const describeConflicts = ({ chain, conflicts }: ChainState, flags: string): string[] =>
  conflicts.map(({ date, since, reason }) => {
    const problem = `${chain} ${date}, since ${formatTime(since)} UTC: ${reason}`;
    if (date === FINALITY) return `${problem}\nIt ends with the next proof.`;
    const settle = `  ${commandLine(flags, 'restate', '--settle', { chain, date })}`;
    if (date === FINAL_BLOCK) return `${problem}\nIt ends when the hosts agree. To end it now:\n${settle}`;
    const verify = `  ${commandLine(flags, 'verify', { chain, date })}`;
    return `${problem}\nTo verify the day, and to settle the conflict if it is right:\n${verify}\n${settle}`;
  });

function describeDays({ chain, waiting, missing, gap }: ChainState, flags: string): string[] {
  const lines: string[] = [];
  if (waiting.length > 0) {
    const read = `${pluralize(sum(waiting), 'day')} read, final once the day after is`;
    lines.push(`${chain}: ${read}: ${formatRanges(waiting)}`);
  }
  const last = missing.at(-1);
  if (!last) return lines;
  const days = sum(missing);
  const problem =
    gap !== undefined && days === 1
      ? `${gap} is missing on purpose, to show a gap.`
      : `is missing ${pluralize(days, 'day')}: ${formatRanges(missing)}.`;
  const which = missing.length > 1 ? 'the last range' : days === 1 ? 'it' : 'them';
  const ingest = commandLine(flags, 'ingest', { chain, startDate: last.start_date, endDate: last.end_date });
  return [...lines, `${chain} ${problem} To ingest ${which}:\n  ${ingest}`];
}

function describeArchived({ chain, archived_days: days, proven_fees_percent, proving }: ChainState) {
  if (days === undefined) return [];
  const percent = proven_fees_percent ?? 0;
  const line = `${chain}: ${percent}% of the fees of its days are proven; ${pluralize(days, 'day')} archived.`;
  if (proving?.problem === undefined) return [line];
  return [line, `${chain} ${proving.day} could not be proven. ${proving.problem}`];
}

/** The number of ranges to list: a long history may have hundreds. */
const LISTED = 6;

function formatRanges(ranges: readonly CountedRange[]): string {
  const others = ranges.length - LISTED;
  const listed = ranges.slice(-LISTED).map(formatRange).join(', ');
  return others > 0 ? `${listed}, and ${pluralize(others, 'earlier range')} (--json lists all)` : listed;
}

function describeUnlinked({ chain, unlinked }: ChainState): string[] {
  const lines = unlinked.map(
    ({ date, parent_hash: parent, last_block_before: before }) =>
      `${chain} ${date} does not continue the day before: its parent is ${abbreviate(parent)}, and that day ends with block ${describeBlock(before)}.`,
  );
  const advice = 'Verify both days, and restate the wrong one, the later day first.';
  return lines.length > 0 ? [[...lines, advice].join('\n')] : [];
}
