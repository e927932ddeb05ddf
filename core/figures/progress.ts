import type { DayProgress } from '../store/checkpoint-item.ts';
import type { SummedBlock } from './block.ts';
import { addTotals, NO_TOTALS } from './totals.ts';
import { addDays, startOfDay, type UtcDay } from './utc-day.ts';

/** The parent hash of genesis. */
export const NO_PARENT = `0x${'0'.repeat(64)}`;

/**
 * Returns the progress of a day without blocks.
 * @param before the last block before the day, with the host that gave it if it was searched; absent when the day begins with genesis
 */
export const startDayProgress = (day: UtcDay, before: DayProgress['last']): DayProgress => ({
  day,
  parentHash: before?.hash ?? NO_PARENT,
  last: before && { number: before.number, hash: before.hash, host: before.host },
  notBefore: startOfDay(day),
  totals: NO_TOTALS,
  provenBlocks: 0,
  hosts: [],
});

/** Returns whether a block belongs to a later day, so that the day is complete. */
export const isAfter = ({ day }: DayProgress, { timestamp }: SummedBlock): boolean =>
  timestamp >= startOfDay(addDays(day, 1));

/** Returns the progress after the day's next block. */
export function advance(progress: DayProgress, block: SummedBlock): DayProgress {
  const { first, totals, provenBlocks, hosts } = progress;
  const { number, hash, timestamp, host } = block;
  return {
    ...progress,
    first: first ?? { number, hash },
    last: { number, hash, host },
    notBefore: timestamp,
    totals: addTotals(totals, block.totals),
    provenBlocks: provenBlocks + (block.isProven ? 1 : 0),
    hosts: hosts.includes(host) ? hosts : [...hosts, host].toSorted(),
  };
}
