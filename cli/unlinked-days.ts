import { addDays, type UtcDay } from '../core/figures/calendar.ts';
import type { DayFigures } from '../core/figures/day-figures.ts';
import { abbreviate, describeBlock, isContiguous } from '../core/store/days/compare-figures.ts';
import { pluralize } from './print.ts';

/** A final day that does not continue the final day before it. */
interface UnlinkedDay {
  readonly date: UtcDay;
  readonly parent_hash: string;
  readonly first_block: DayFigures['first'];
  readonly last_block_before: DayFigures['last'];
}

/** @param days ascending */
export const unlinkedDays = (days: readonly DayFigures[]): UnlinkedDay[] =>
  days.flatMap((day, index) => {
    const before = days[index - 1];
    if (!before || addDays(before.day, 1) !== day.day || isContiguous(before, day)) return [];
    const { parentHash, first } = day;
    return [{ date: day.day, parent_hash: parentHash, first_block: first, last_block_before: before.last }];
  });

const LISTED = 6;

/** Describes the last of these days, a sentence each, and counts the others. */
export const describeUnlinked = (chain: string, days: readonly UnlinkedDay[]): string[] => [
  ...days.slice(-LISTED).map((day) => describe(chain, day)),
  ...(days.length > LISTED
    ? [`${chain}: and ${pluralize(days.length - LISTED, 'earlier day')} (--json lists all)`]
    : []),
];

function describe(chain: string, day: UnlinkedDay): string {
  const { date, parent_hash, first_block, last_block_before } = day;
  const start = first_block ? `begins with block ${describeBlock(first_block)}` : 'has no blocks';
  return (
    `${chain} ${date} does not continue the day before: it ${start}, parent ${abbreviate(parent_hash)}; the day before ends with block ${describeBlock(last_block_before)}. ` +
    'Verify both days, and restate the wrong one, the later day first.'
  );
}
