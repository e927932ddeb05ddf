import { addTotals, NO_TOTALS } from '../chains/totals.ts';
import { addDays, startOfDay, type UtcDay } from '../chains/utc-day.ts';
import type { Progress } from '../store/checkpoint-item.ts';
import type { SummedBlock } from './blocks/read.ts';

/** Returns the progress of a day without blocks, whose first block follows `last`. */
export const startProgress = (day: UtcDay, last: Progress['last']): Progress => ({
  day,
  last,
  notBefore: startOfDay(day),
  totals: NO_TOTALS,
  provenBlocks: 0,
  hosts: [],
});

/** Returns whether a block belongs to a later day, so that the day is complete. */
export const isAfter = ({ day }: Progress, { timestamp }: SummedBlock): boolean =>
  timestamp >= startOfDay(addDays(day, 1));

/** Returns the progress after the day's next block. */
export function advance({ day, first, totals, provenBlocks, hosts }: Progress, block: SummedBlock): Progress {
  const { number, hash, timestamp, host } = block;
  return {
    day,
    first: first ?? { number, hash },
    last: { number, hash, timestamp, host },
    notBefore: timestamp,
    totals: addTotals(totals, block.totals),
    provenBlocks: provenBlocks + (block.isProven ? 1 : 0),
    hosts: hosts.includes(host) ? hosts : [...hosts, host].toSorted(),
  };
}
