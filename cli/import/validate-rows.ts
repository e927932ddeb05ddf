import { isDeepStrictEqual } from 'node:util';
import { decodeLines } from '../../core/backup/export-files.ts';
import { chainOf } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { type DayDetails, DEFINITION_VERSION } from '../../core/figures/day-figures.ts';
import { quantilesOf } from '../../core/figures/fee-buckets.ts';
import { feePartNames, feeParts } from '../../core/figures/fee-parts.ts';
import { addTotals } from '../../core/figures/totals.ts';
import { figuresOf, parseStoredDay, type StoredDay } from '../../core/store/days/day-item.ts';
import { parseDetails } from '../../core/store/days/details.ts';
import { isOfKind, revisionKey } from '../../core/store/table/keys.ts';
import type { Item } from '../../core/store/table/table.ts';
import { CommandError } from '../exit-codes.ts';
import { formatCount } from '../print.ts';

export interface RowProblem {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

/** A day of a file, with its details, which are undefined when it was imported without them. */
export interface FileDay extends Omit<RowProblem, 'problem'> {
  readonly day: StoredDay;
  readonly details?: DayDetails | undefined;
}

/** An item that is neither a day nor details. */
export interface OtherItem extends Omit<RowProblem, 'problem'> {
  readonly item: Item;
}

/** The days of all chains until 2030 are fewer. Checking millions of rows of another kind of file would take minutes. */
const MAX_INVALID_ROWS = 30_000;

/** Identifies a day in maps and messages. */
export const dayId = ({ chain, date }: Pick<StoredDay, 'chain' | 'date'>): string => `${chain} ${date}`;

/**
 * Reads the rows of files, and validates each day with its details. Details of earlier revisions are left out.
 * @param today UTC
 * @throws CommandError when too many rows are invalid
 */
export function validateRows(
  files: readonly { readonly file: string; readonly text: string }[],
  today: UtcDay,
) {
  const { rows, others, problems, details } = readRows(files);
  const copies = Map.groupBy(rows, ({ day }) => dayId(day));
  const valid = rows.flatMap((row): FileDay[] => {
    const { day, ...at } = row;
    const key = `${day.chain} ${revisionKey(day, 'details', { day: day.date, revision: day.revision }).date}`;
    // A day without measures has no details: these are left from a deleted day, or from a writer that lost a race or crashed.
    const item = day.measures_version === undefined ? undefined : details.get(key);
    const parsed = item ? parseDetails(item) : { details: undefined };
    // The file does not say which copy of a day is right.
    const copy = copies.get(dayId(day))?.find((one) => one !== row);
    const found = problemsIn([
      copy !== undefined && `${dayId(day)} is also in line ${copy.line}`,
      ...dayProblems(day, today),
      ...('problem' in parsed ? [parsed.problem] : detailProblems({ day, ...parsed })),
    ]);
    problems.push(...found.map((problem) => ({ ...at, problem })));
    return found.length > 0 || 'problem' in parsed ? [] : [{ ...row, ...parsed }];
  });
  return { rows: valid, others, problems };
}

const OTHERS = /^(coverage$|restatement#|conflict#|archive#)/;

/** Sorts rows by the kinds of their items. The details of a day may be before or after it. */
function readRows(files: Parameters<typeof validateRows>[0]) {
  const [rows, others, problems]: [FileDay[], OtherItem[], RowProblem[]] = [[], [], []];
  const details = new Map<string, Item>();
  for (const { file, text } of files) {
    for (const { line, ...row } of decodeLines(text)) {
      const { chain, date, ...attributes } = 'item' in row ? row.item : {};
      const key = typeof chain === 'string' && typeof date === 'string' ? date : '';
      if (isOfKind({ date: key }, 'details')) details.set(`${chain} ${key}`, attributes);
      else if ('item' in row && OTHERS.test(key)) others.push({ file, line, ...row });
      else {
        const parsed = 'item' in row ? parseStoredDay(row.item) : row;
        if ('day' in parsed) rows.push({ file, line, ...parsed });
        else problems.push({ file, line, ...parsed });
      }
      if (problems.length <= MAX_INVALID_ROWS) continue;
      const limit = formatCount(MAX_INVALID_ROWS);
      throw new CommandError(`More than ${limit} rows are invalid. Expected a file that export wrote.`);
    }
  }
  return { rows, others, problems, details };
}

const problemsIn = (checks: readonly (string | false)[]): string[] =>
  checks.filter((problem) => problem !== false);

/** Returns what does not belong together in a day and its details. */
export function detailProblems({ day, details }: Pick<FileDay, 'day' | 'details'>): string[] {
  if (!details)
    return day.measures_version === undefined ? [] : ['details: missing, but the day has measures'];
  const paid = [...details.feeCounts.values()].reduce((sum, count) => sum + count, 0);
  return problemsIn([
    !isDeepStrictEqual(details.hours.reduce(addTotals), figuresOf(day).totals) &&
      'details: the hours do not add up to the day',
    paid > day.transaction_count && `details: ${paid} fees of ${day.transaction_count} transactions`,
    !isDeepStrictEqual(quantilesOf(details.feeCounts), day.fee_quantiles) &&
      'fee_quantiles: not those of the details',
  ]);
}

/**
 * Returns what cannot be true of a final day, whatever other days say.
 * @param today UTC; only earlier days are complete
 */
export function dayProblems(day: StoredDay, today: UtcDay): string[] {
  const { firstDay } = chainOf(day.chain);
  const { first_block: first, last_block: last, block_count: count, proven_blocks: proven } = day;
  const blocks = first ? last.number - first.number + 1 : 0;
  const protocol = day.protocol_transaction_count;
  return problemsIn([
    day.date < firstDay && `date: ${day.chain} begins on ${firstDay}`,
    day.date >= today && `date: not complete, today is ${today} (UTC)`,
    first !== undefined && blocks < 1 && `first_block: ${first.number} is after last_block ${last.number}`,
    first !== undefined &&
      blocks >= 1 &&
      blocks !== count &&
      `block_count: ${count}, but ${first.number} to ${last.number} are ${blocks} blocks`,
    first !== undefined &&
      blocks === 1 &&
      first.hash !== last.hash &&
      `first_block: ${first.number} is also last_block, with another hash`,
    ...TOTALS.map((name) => !first && BigInt(day[name]) > 0n && `${name}: ${day[name]}, but no first_block`),
    proven > count && `proven_blocks: ${proven} exceeds block_count ${count}`,
    day.evidence === 'proven' &&
      proven < count &&
      `evidence: proven, but only ${proven} of ${count} blocks are`,
    protocol > day.transaction_count &&
      `protocol_transaction_count: ${protocol} exceeds transaction_count ${day.transaction_count}`,
    (day.evidence === 'archived') !== (day.archived_from !== undefined) &&
      'archived_from: only archived days have one, and each has',
    day.definition_version > DEFINITION_VERSION &&
      `definition_version: ${day.definition_version} is newer than ${DEFINITION_VERSION}, the newest that this version supports`,
  ]);
}

const TOTALS = [
  ...(['block_count', 'transaction_count'] as const),
  ...feePartNames.map((name) => feeParts[name].attribute),
];
