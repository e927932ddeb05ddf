import { addDays, dayOf, later, type UtcDay } from '../../core/figures/calendar.ts';

/**
 * Finds the oldest available block by binary search. Nodes prune from the oldest block on, so availability is monotonic.
 * @param head number of an available block
 */
export async function oldestBlock(
  head: number,
  isAvailable: (number: number) => Promise<boolean>,
): Promise<number> {
  let missing = -1;
  let available = head;
  let next = 0;
  while (available > missing + 1) {
    if (await isAvailable(next)) available = next;
    else missing = next;
    next = missing + Math.floor((available - missing) / 2);
  }
  return available;
}

/**
 * Returns the first day that can be ingested from an oldest block on: the day after it, since a day's first block is
 * identified by the block before; or the chain's first day if that block is genesis.
 */
export const firstCompleteDay = (
  { number, timestamp }: { readonly number: number; readonly timestamp: number },
  firstDay: UtcDay,
): UtcDay => later(firstDay, number === 0 ? dayOf(timestamp) : addDays(dayOf(timestamp), 1));
