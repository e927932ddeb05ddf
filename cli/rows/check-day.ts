import type { BlockRef } from '../../lambda/chains/block.ts';
import { chainOf } from '../../lambda/chains/chains.ts';
import { DEFINITION_VERSION } from '../../lambda/chains/definition.ts';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import type { StoredDay } from '../../lambda/store/stored-days.ts';

/**
 * What cannot be true of a final day, by itself.
 * @param today UTC: only days before it are over
 * @returns a sentence for each field that is wrong
 */
export const problemsOf = (day: StoredDay, today: UtcDay): string[] => [
  ...dateProblems(day, today),
  ...(day.first_block ? blockProblems(day, day.first_block) : emptyDayProblems(day)),
  ...otherProblems(day),
];

function* dateProblems({ chain, date }: StoredDay, today: UtcDay) {
  const { firstDay } = chainOf(chain);
  if (date < firstDay) yield `date: ${chain} begins on ${firstDay}`;
  if (date >= today) yield `date: this day is not over, for today is ${today} (UTC)`;
}

function* blockProblems({ last_block: last, block_count }: StoredDay, first: BlockRef) {
  const between = last.number - first.number + 1;
  if (between < 1) {
    yield `first_block: ${first.number} comes after the last one, ${last.number}`;
  } else if (between !== block_count) {
    yield `block_count: ${block_count}, but from ${first.number} to ${last.number} there are ${between}`;
  }
  if (between === 1 && first.hash !== last.hash) {
    yield `first_block: ${first.number} is the last one too, with another hash`;
  }
}

const TOTALS = [
  ...(['block_count', 'transaction_count', 'protocol_transaction_count', 'execution_fees'] as const),
  ...(['l1_data_fees', 'operator_fees', 'blob_fees', 'fees_reported_twice'] as const),
];

const emptyDayProblems = (day: StoredDay): string[] =>
  TOTALS.filter((name) => BigInt(day[name]) !== 0n).map(
    (name) => `${name}: ${day[name]} on a day that has no first block`,
  );

function* otherProblems(day: StoredDay) {
  if (day.protocol_transaction_count > day.transaction_count) {
    yield `protocol_transaction_count: ${day.protocol_transaction_count} of ${day.transaction_count} transactions`;
  }
  if (day.definition_version > DEFINITION_VERSION) {
    yield `definition_version: ${day.definition_version} is newer than this version of the code, which knows ${DEFINITION_VERSION}`;
  }
}
