import type { ChainName } from '#core/chains/chains.ts';
import { countDays, type UtcDay } from '#core/figures/calendar.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { blockAt } from '#test/support/generators/blocks/builders.ts';
import { storedDay } from './stored-days.ts';

/** Returns a stored day with these figures, of four blocks that are contiguous with those of other days. */
export function servedDay(
  chain: ChainName,
  date: UtcDay,
  figures: { readonly transaction_count: number; readonly fees: string },
): StoredDay {
  const last = 4 * countDays('2025-01-01', date);
  return storedDay({
    chain,
    date,
    transaction_count: figures.transaction_count,
    execution_fees: weiOf(figures.fees),
    blob_fees: 0n,
    first_block: blockAt(last - 3),
    last_block: blockAt(last),
  });
}

/** Returns wei of an exact decimal. */
export const weiOf = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
};
