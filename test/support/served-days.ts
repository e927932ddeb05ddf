import type { ChainName } from '../../lambda/chains/chains.ts';
import { countDays, type UtcDay } from '../../lambda/chains/utc-day.ts';
import type { StoredDay } from '../../lambda/store/day-item.ts';
import { blockAt, storedDay } from './stored-days.ts';

/** A day that is served with these figures, of four blocks that join those of the days around it. */
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

const weiOf = (fees: string): bigint => {
  const [whole = '', fraction = ''] = fees.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
};
