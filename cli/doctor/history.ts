import { addDays, dayOf, later, type UtcDay } from '../../core/figures/calendar.ts';

/**
 * Finds the oldest available block above genesis by binary search. Nodes prune from the oldest block on, so availability is monotonic;
 * but genesis says nothing, because pruned nodes keep it.
 * @param head number of an available block
 */
export async function oldestBlock(
  head: number,
  isAvailable: (number: number) => Promise<boolean>,
): Promise<number> {
  let missing = 0;
  let available = head;
  let next = 1;
  while (available > missing + 1) {
    if (await isAvailable(next)) available = next;
    else missing = next;
    next = missing + Math.floor((available - missing) / 2);
  }
  return available;
}

/** Returns whether no block is missing below an oldest block above genesis. */
export const isWhole = (oldest: number): boolean => oldest <= 1;

/**
 * Returns the first day that can be ingested from an oldest block on: the day after it, since a day's first block is
 * identified by the block before; or its own day if that is genesis.
 */
export const firstCompleteDay = (
  { number, timestamp }: { readonly number: number; readonly timestamp: number },
  firstDay: UtcDay,
): UtcDay => later(firstDay, isWhole(number) ? dayOf(timestamp) : addDays(dayOf(timestamp), 1));
