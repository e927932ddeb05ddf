import { startOfDay, type UtcDay } from '#core/figures/calendar.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { saveCheckpoint } from '#core/store/days/checkpoints.ts';
import type { ChainStore } from '#core/store/table/table.ts';
import { blockAt, finalSums } from '#test/support/generators/blocks/builders.ts';

/** Returns the progress of a running day after some transactions: one a minute, each in a block and with fees of 0.001. */
export function runningDay(day: UtcDay, transactions: number): DayProgress {
  const fees = { ...NO_FEES, execution: 10n ** 15n * BigInt(transactions) };
  return {
    ...startDayProgress(day, blockAt(9)),
    first: blockAt(10),
    last: blockAt(9 + transactions),
    notBefore: startOfDay(day) + 60 * transactions,
    totals: { ...NO_TOTALS, blocks: transactions, transactions, fees },
  };
}

/** Stores the sums of a running day after final transactions. */
export async function putRunningDay(store: ChainStore, day: UtcDay, transactions: number): Promise<void> {
  const progress = runningDay(day, transactions);
  const final = finalSums(progress);
  await saveCheckpoint(store, { day, sequence: 0 }, { progress, anchored: progress, final });
}
