import { chainOf } from '../../lambda/chains/chains.ts';
import { DEFINITION_VERSION } from '../../lambda/chains/definition.ts';
import { feePartNames, feeParts } from '../../lambda/chains/fee-parts.ts';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import type { StoredDay } from '../../lambda/store/day-item.ts';
import type { ReadRow } from '../day-files/ndjson.ts';
import { CommandError } from '../exit-codes.ts';
import { formatCount } from '../print.ts';

export interface RowProblem {
  readonly line: number;
  readonly problem: string;
}

/** A day of the file. */
export interface FileDay {
  readonly line: number;
  readonly day: StoredDay;
}

export interface ValidatedRows {
  readonly days: readonly FileDay[];
  readonly problems: readonly RowProblem[];
}

/** The days of all chains until 2030 are fewer. Checking millions of rows of another kind of file would take minutes. */
const MAX_INVALID_ROWS = 30_000;

/** Identifies a day in maps and messages. */
export const dayId = ({ chain, date }: Pick<StoredDay, 'chain' | 'date'>): string => `${chain} ${date}`;

/**
 * Validates each row, and that no day occurs twice.
 * @param today UTC
 * @throws CommandError when too many rows are invalid
 */
export async function validateRows(rows: AsyncIterable<ReadRow>, today: UtcDay): Promise<ValidatedRows> {
  const days: FileDay[] = [];
  const problems: RowProblem[] = [];
  let invalidRows = 0;
  for await (const row of rows) {
    const { line } = row;
    const found = 'day' in row ? dayProblems(row.day, today) : [row.problem];
    problems.push(...found.map((problem) => ({ line, problem })));
    if ('day' in row && found.length === 0) days.push(row);
    else if (++invalidRows > MAX_INVALID_ROWS) {
      const limit = formatCount(MAX_INVALID_ROWS);
      throw new CommandError(`More than ${limit} rows are invalid. Expected a file of export.`);
    }
  }
  const byDay = [...Map.groupBy(days, ({ day }) => dayId(day))];
  return {
    days: byDay.flatMap(([, copies]) => (copies.length === 1 ? copies : [])),
    problems: [...problems, ...byDay.flatMap(([id, copies]) => duplicateProblems(id, copies))],
  };
}

/** Refuses every copy of a duplicate: the file does not say which one is right. */
const duplicateProblems = (id: string, [first, second, ...others]: readonly FileDay[]): RowProblem[] =>
  first && second
    ? [
        { line: first.line, problem: `${id} is also in line ${second.line}` },
        ...[second, ...others].map(({ line }) => ({
          line,
          problem: `${id} is also in line ${first.line}`,
        })),
      ]
    : [];

const TOTALS = [
  ...(['block_count', 'transaction_count', 'protocol_transaction_count'] as const),
  ...feePartNames.map((name) => feeParts[name].attribute),
];

/**
 * Returns what cannot be true of a final day, whatever other days say.
 * @param today UTC; only earlier days are complete
 */
export function dayProblems(day: StoredDay, today: UtcDay): string[] {
  const { chain, date, first_block, last_block, block_count, transaction_count } = day;
  const { evidence, proven_blocks, protocol_transaction_count, definition_version } = day;
  const { firstDay } = chainOf(chain);
  const blocks = first_block ? last_block.number - first_block.number + 1 : 0;
  const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [date < firstDay, `date: ${chain} begins on ${firstDay}`],
    [date >= today, `date: not complete, today is ${today} (UTC)`],
    [
      first_block !== undefined && blocks < 1,
      `first_block: ${first_block?.number} is after last_block ${last_block.number}`,
    ],
    [
      blocks >= 1 && blocks !== block_count,
      `block_count: ${block_count}, but ${first_block?.number} to ${last_block.number} are ${blocks} blocks`,
    ],
    [
      blocks === 1 && first_block?.hash !== last_block.hash,
      `first_block: ${first_block?.number} is also last_block, with another hash`,
    ],
    ...TOTALS.map(
      (name) =>
        [
          first_block === undefined && BigInt(day[name]) !== 0n,
          `${name}: ${day[name]}, but the day has no first_block`,
        ] as const,
    ),
    [proven_blocks > block_count, `proven_blocks: ${proven_blocks} exceeds block_count ${block_count}`],
    [
      evidence === 'proven' && proven_blocks < block_count,
      `evidence: proven, but only ${proven_blocks} of ${block_count} blocks are`,
    ],
    [
      protocol_transaction_count > transaction_count,
      `protocol_transaction_count: ${protocol_transaction_count} exceeds transaction_count ${transaction_count}`,
    ],
    [
      definition_version > DEFINITION_VERSION,
      `definition_version: ${definition_version} is newer than ${DEFINITION_VERSION}, the newest that this version supports`,
    ],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}
