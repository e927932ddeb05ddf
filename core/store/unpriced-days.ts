import type { UtcDay } from '../figures/calendar.ts';
import { type DayRevision, dayOfCheckpoint, unpricedKey, unpricedRange } from './keys.ts';
import { type ChainReader, type ChainStore, queryItems } from './table.ts';

/*
 * Final days are priced after they are published, once the prices around them are known. Each writer of a day notes it before it writes
 * the day, so that no crash leaves one without dollars.
 */

/** Notes that a revision of a day is to be priced, and then the day after it, whose first blocks have the last price of this day. */
export async function noteUnpriced(store: ChainStore, { day, revision }: DayRevision): Promise<void> {
  await store.table.putIf({ ...unpricedKey(store, day), revision });
}

/** Lists the days to price, which need not be final yet, ascending. */
export async function listUnpriced(store: ChainReader): Promise<UtcDay[]> {
  const items = await queryItems(store.table, unpricedRange(store));
  return items.map(({ date }) => dayOfCheckpoint(String(date)));
}

/** Deletes the note of a day that is priced, unless it is about a later revision that is just being written. */
export const deleteUnpriced = (store: ChainStore, { day, revision }: DayRevision): Promise<void> =>
  store.table.deleteItem(unpricedKey(store, day), {
    ConditionExpression: 'revision <= :revision',
    ExpressionAttributeValues: { ':revision': revision },
  });
