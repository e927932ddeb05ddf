import { RULES_KNOWN_UNTIL } from '../chains/fork-times.ts';
import type { BlockEvidence } from '../figures/day-figures.ts';
import type { DayProgress } from '../figures/progress.ts';

/** Returns whether a price of a day may follow a rule that this version does not know, and no node states it. */
export const lacksStatedPrice = ({ day, priceToCompare }: DayProgress): boolean =>
  day > RULES_KNOWN_UNTIL && priceToCompare !== undefined;

/** Returns the evidence for the sums of a day. @param isStartProven true if a hash fixes the time of the block before the day */
export const evidenceOf = (progress: DayProgress, isStartProven: boolean): BlockEvidence =>
  progress.provenBlocks === progress.totals.blocks && isStartProven && !lacksStatedPrice(progress)
    ? 'proven'
    : 'checked';
