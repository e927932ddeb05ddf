import type { BlockRef } from '../chains/block.ts';
import { addTotals, NO_TOTALS } from '../chains/totals.ts';
import { addDays, startOfDay, type UtcDay } from '../chains/utc-day.ts';
import type { Progress } from '../store/checkpoints.ts';
import { checkFollows, checkNotBefore } from './check-link.ts';
import type { SummedBlock } from './read-block.ts';

/** A day of which nothing is read, whose first block comes after `last`. */
export const startProgress = (day: UtcDay, last: BlockRef | undefined): Progress => ({
  day,
  last,
  notBefore: startOfDay(day),
  totals: NO_TOTALS,
});

export const nextBlockOf = ({ last }: Progress): number => (last ? last.number + 1 : 0);

/**
 * The progress after the next block, or 'complete' when that block belongs to a later day, so that all of this one is read.
 * @throws BlockError when the block is not the child of the last one or is older than it
 */
export function advance(chain: string, progress: Progress, block: SummedBlock): Progress | 'complete' {
  const { day, first, last, notBefore, totals } = progress;
  if (last) checkFollows(chain, last, block);
  checkNotBefore(chain, notBefore, block);
  if (block.timestamp >= startOfDay(addDays(day, 1))) return 'complete';
  const { number, hash, timestamp } = block;
  return {
    day,
    first: first ?? { number, hash },
    last: { number, hash },
    notBefore: timestamp,
    totals: addTotals(totals, block.totals),
  };
}
