import { reportedBy } from '#core/figures/block.ts';
import { HOURS_PER_DAY } from '#core/figures/calendar.ts';
import type { DayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import type { ChainStore } from '#core/store/table/table.ts';
import { publish } from '#core/transitions/publish.ts';
import { dayProgress, figuresIn, provenance } from '#test/support/generators/blocks/builders.ts';

/* Days of November 2026 with three blocks each, which follow one another from the 17th on. */

export const dayOfChain = (day: string): DayProgress => {
  const first = 3 * (Number(day.slice(-2)) - 17) + 1;
  return dayProgress(day, first, first + 2);
};

/** Details of a day without transactions. */
export const emptyDetails = {
  hours: Array.from({ length: HOURS_PER_DAY }, () => NO_TOTALS),
  feeCounts: new Map<number, number>(),
  dollars: undefined,
};

/** Returns what publishing a day stores, without a proof that it is final. */
export const contentOf = (progress: DayProgress) => ({
  figures: figuresIn(progress),
  provenance: provenance({ finality: reportedBy([]) }),
  details: emptyDetails,
});

export async function publishAll(store: ChainStore, ...days: readonly string[]): Promise<void> {
  for (const day of days) await publish(store, contentOf(dayOfChain(day)));
}
