import type { BlockRef } from '../../lambda/chains/block.ts';
import { chainOf } from '../../lambda/chains/chains.ts';
import { DEFINITION_VERSION } from '../../lambda/chains/definition.ts';
import { feePartNames, feeParts } from '../../lambda/chains/fee-parts.ts';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import type { StoredDay } from '../../lambda/store/day-item.ts';
import { LineError, type ReadRow } from '../day-files/ndjson.ts';
import { formatCount } from '../print.ts';
import { dayId, digestOf, type FileDay } from './day-digest.ts';

export interface RowProblem {
  readonly line: number;
  readonly problem: string;
}

/** The number of problems, and the first of them: a file of another kind has millions. */
export interface RowProblems {
  readonly count: number;
  readonly first: readonly RowProblem[];
}

export const KEPT_PROBLEMS = 1_000;

/** The days of all chains until 2030 are fewer. Checking millions of rows of another kind of file would take minutes. */
const MAX_INVALID_ROWS = 30_000;

/** The valid rows of a file. Its size is bounded by the number of days, whatever the file contains. */
export interface ValidatedRows {
  readonly rows: number;
  readonly days: readonly FileDay[];
  readonly problems: RowProblems;
}

/**
 * Validates each row, and that no day occurs twice.
 * @param today UTC
 * @param onRow receives the number of rows so far
 * @throws LineError when too many rows are invalid
 */
export async function validateRows(
  rows: AsyncIterable<ReadRow>,
  today: UtcDay,
  onRow: (rows: number) => void = () => {},
): Promise<ValidatedRows> {
  const problems = collectProblems();
  const days = collectDays(problems.add);
  let count = 0;
  let invalid = 0;
  for await (const { line, ...row } of rows) {
    const found = 'day' in row ? dayProblems(row.day, today) : row.problems;
    for (const problem of found) problems.add(line, problem);
    if ('day' in row && found.length === 0) days.add(line, row.day);
    if (found.length > 0 && ++invalid > MAX_INVALID_ROWS) {
      throw new LineError(
        line,
        `more than ${formatCount(MAX_INVALID_ROWS)} rows are invalid. Expected a file of export.`,
      );
    }
    onRow(++count);
  }
  // A duplicate is also reported at its first line, out of order.
  return { rows: count, days: days.all(), problems: addProblems(problems.all(), []) };
}

function collectProblems() {
  const first: RowProblem[] = [];
  let count = 0;
  return {
    add: (line: number, problem: string) => {
      count++;
      if (first.length < KEPT_PROBLEMS) first.push({ line, problem });
    },
    all: (): RowProblems => ({ count, first }),
  };
}

/** Adds problems that a later check found, in the order of lines. */
export const addProblems = ({ count, first }: RowProblems, more: readonly RowProblem[]): RowProblems => ({
  count: count + more.length,
  first: [...first, ...more].toSorted((a, b) => a.line - b.line).slice(0, KEPT_PROBLEMS),
});

/** Collects days, and drops every copy of a duplicate: the file does not say which one is right. */
function collectDays(onProblem: (line: number, problem: string) => void) {
  const days = new Map<string, FileDay>();
  const firstLines = new Map<string, number>();
  return {
    add: (line: number, day: StoredDay) => {
      const key = dayId(day.chain, day.date);
      const firstLine = firstLines.get(key);
      if (firstLine === undefined) {
        firstLines.set(key, line);
        days.set(key, { line, ...digestOf(day) });
        return;
      }
      if (days.delete(key)) onProblem(firstLine, `${key} is also in line ${line}`);
      onProblem(line, `${key} is also in line ${firstLine}`);
    },
    all: (): FileDay[] => [...days.values()],
  };
}

/**
 * Returns what cannot be true of a final day, whatever other days say.
 * @param today UTC; only earlier days are complete
 */
export const dayProblems = (day: StoredDay, today: UtcDay): string[] => [
  ...dateProblems(day, today),
  ...(day.first_block ? blockProblems(day, day.first_block) : emptyDayProblems(day)),
  ...evidenceProblems(day),
  ...otherProblems(day),
];

function* dateProblems({ chain, date }: StoredDay, today: UtcDay) {
  const { firstDay } = chainOf(chain);
  if (date < firstDay) yield `date: ${chain} begins on ${firstDay}`;
  if (date >= today) yield `date: not complete, today is ${today} (UTC)`;
}

function* blockProblems({ last_block: last, block_count }: StoredDay, first: BlockRef) {
  const between = last.number - first.number + 1;
  if (between < 1) {
    yield `first_block: ${first.number} is after last_block ${last.number}`;
  } else if (between !== block_count) {
    yield `block_count: ${block_count}, but ${first.number} to ${last.number} are ${between} blocks`;
  }
  if (between === 1 && first.hash !== last.hash) {
    yield `first_block: ${first.number} is also last_block, with another hash`;
  }
}

const TOTALS = [
  ...(['block_count', 'transaction_count', 'protocol_transaction_count'] as const),
  ...feePartNames.map((name) => feeParts[name].attribute),
];

const emptyDayProblems = (day: StoredDay): string[] =>
  TOTALS.filter((name) => BigInt(day[name]) !== 0n).map(
    (name) => `${name}: ${day[name]}, but the day has no first_block`,
  );

function* evidenceProblems({ evidence, proven_blocks, block_count }: StoredDay) {
  if (proven_blocks > block_count) {
    yield `proven_blocks: ${proven_blocks} exceeds block_count ${block_count}`;
  }
  if (evidence === 'proven' && proven_blocks < block_count) {
    yield `evidence: proven, but only ${proven_blocks} of ${block_count} blocks are`;
  }
}

function* otherProblems(day: StoredDay) {
  if (day.protocol_transaction_count > day.transaction_count) {
    yield `protocol_transaction_count: ${day.protocol_transaction_count} exceeds transaction_count ${day.transaction_count}`;
  }
  if (day.definition_version > DEFINITION_VERSION) {
    yield `definition_version: ${day.definition_version} is newer than ${DEFINITION_VERSION}, the newest that this version supports`;
  }
}
