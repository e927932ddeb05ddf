import { addDays, dayOf, later, type UtcDay } from '../../lambda/chains/utc-day.ts';

/**
 * The oldest block that an endpoint has: nodes lose history from its beginning, so each after it is there, too. It takes as
 * many looks as the head's number has binary digits, or one where all of it is there.
 * @param head number of a block that is there
 * @param has whether a block is there
 */
export async function oldestBlock(head: number, has: (number: number) => Promise<boolean>): Promise<number> {
  let missing = -1;
  let there = head;
  let next = 0;
  while (there > missing + 1) {
    if (await has(next)) there = next;
    else missing = next;
    next = missing + Math.floor((there - missing) / 2);
  }
  return there;
}

/**
 * The first day that can be read with an oldest block: the one after it, for a day's first block is only known by the one
 * before it; or the chain's own first day, with genesis.
 * @param firstDay of the chain
 */
export const firstWholeDay = (
  { number, timestamp }: { readonly number: number; readonly timestamp: number },
  firstDay: UtcDay,
): UtcDay => later(firstDay, number === 0 ? dayOf(timestamp) : addDays(dayOf(timestamp), 1));
