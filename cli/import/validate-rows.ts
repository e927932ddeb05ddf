import { isDeepStrictEqual } from 'node:util';
import { chainOf } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { DEFINITION_VERSION } from '../../core/figures/day-figures.ts';
import { quantilesOf } from '../../core/figures/fee-buckets.ts';
import { feePartNames, feeParts } from '../../core/figures/fee-parts.ts';
import { addTotals } from '../../core/figures/totals.ts';
import { figuresOf, type StoredDay } from '../../core/store/days/day-item.ts';
import type { StoredDayWithDetails } from '../../core/store/days/stored-days.ts';
import type { ReadRow } from '../day-files/ndjson.ts';
import { CommandError } from '../exit-codes.ts';
import { formatCount } from '../print.ts';

export interface RowProblem {
  readonly line: number;
  readonly problem: string;
}

/** A day of the file. */
export interface FileDay extends StoredDayWithDetails {
  readonly line: number;
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
    const found = 'day' in row ? [...dayProblems(row.day, today), ...detailProblems(row)] : [row.problem];
    problems.push(...found.map((problem) => ({ line, problem })));
    if ('day' in row && found.length === 0) days.push(row);
    else if (++invalidRows > MAX_INVALID_ROWS) {
      const limit = formatCount(MAX_INVALID_ROWS);
      throw new CommandError(`More than ${limit} rows are invalid. Expected a file that export wrote.`);
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
        ...[second, ...others].map(({ line }) => ({ line, problem: `${id} is also in line ${first.line}` })),
      ]
    : [];

const TOTALS = [
  ...(['block_count', 'transaction_count', 'protocol_transaction_count'] as const),
  ...feePartNames.map((name) => feeParts[name].attribute),
];

/** Returns what does not belong together in a day and its details. */
export function detailProblems({ day, details }: StoredDayWithDetails): string[] {
  if (!details)
    return day.measures_version === undefined ? [] : ['details: missing, but the day has measures'];
  const { totals } = figuresOf(day);
  const paid = [...details.feeCounts.values()].reduce((sum, count) => sum + count, 0);
  const checks: Check[] = [
    [
      !isDeepStrictEqual(details.hours.reduce(addTotals), totals),
      'details: the hours do not add up to the day',
    ],
    [paid > day.transaction_count, `details: ${paid} fees of ${day.transaction_count} transactions`],
    [
      !isDeepStrictEqual(quantilesOf(details.feeCounts), day.fee_quantiles),
      'fee_quantiles: not those of the details',
    ],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}

type Check = readonly [isWrong: boolean, problem: string];

/**
 * Returns what cannot be true of a final day, whatever other days say.
 * @param today UTC; only earlier days are complete
 */
export const dayProblems = (day: StoredDay, today: UtcDay): string[] =>
  [...dateChecks(day, today), ...blockChecks(day), ...countChecks(day)]
    .filter(([isWrong]) => isWrong)
    .map(([, problem]) => problem);

function dateChecks({ chain, date }: StoredDay, today: UtcDay): Check[] {
  const { firstDay } = chainOf(chain);
  return [
    [date < firstDay, `date: ${chain} begins on ${firstDay}`],
    [date >= today, `date: not complete, today is ${today} (UTC)`],
  ];
}

function blockChecks(day: StoredDay): Check[] {
  const { first_block: first, last_block: last, block_count } = day;
  if (!first) {
    return TOTALS.map((name) => [
      BigInt(day[name]) !== 0n,
      `${name}: ${day[name]}, but the day has no first_block`,
    ]);
  }
  const blocks = last.number - first.number + 1;
  return [
    [blocks < 1, `first_block: ${first.number} is after last_block ${last.number}`],
    [
      blocks >= 1 && blocks !== block_count,
      `block_count: ${block_count}, but ${first.number} to ${last.number} are ${blocks} blocks`,
    ],
    [
      blocks === 1 && first.hash !== last.hash,
      `first_block: ${first.number} is also last_block, with another hash`,
    ],
  ];
}

function countChecks(day: StoredDay): Check[] {
  const { block_count, transaction_count, protocol_transaction_count, evidence, proven_blocks } = day;
  const { definition_version } = day;
  return [
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
}
