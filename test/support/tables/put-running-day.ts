import { startOfDay, type UtcDay } from '#core/figures/calendar.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { saveCheckpoint } from '#core/store/days/checkpoints.ts';
import type { ChainStore } from '#core/store/table/table.ts';
import { blockAt, finalSums } from '#test/support/generators/blocks/builders.ts';

/** Stores the sums of a running day after final transactions: one a minute, each in a block and with fees of 0.001. */
export async function putRunningDay(store: ChainStore, day: UtcDay, transactions: number): Promise<void> {
  const fees = { ...NO_FEES, execution: 10n ** 15n * BigInt(transactions) };
  const progress = {
    ...startDayProgress(day, blockAt(9)),
    first: blockAt(10),
    last: blockAt(9 + transactions),
    notBefore: startOfDay(day) + 60 * transactions,
    totals: { ...NO_TOTALS, blocks: transactions, transactions, fees },
  };
  const final = finalSums(progress);
  await saveCheckpoint(store, { day, sequence: 0 }, { progress, anchored: progress, final });
}
