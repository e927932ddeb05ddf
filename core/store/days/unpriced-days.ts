import type { UtcDay } from '../../figures/calendar.ts';
import { type DayRevision, dayOfCheckpoint, unpricedKey, unpricedRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, queryItems } from '../table/table.ts';

/*
 * Final days are priced after they are published, once the prices around them are known. Each writer saves a note before it writes the
 * day, so that no crash leaves a day without dollars.
 */

/** Notes that a revision of a day is to be priced, and so is the day after it, whose first blocks use the last price of this day. */
export async function noteUnpriced(store: ChainStore, { day, revision }: DayRevision): Promise<void> {
  await store.table.putIf({ ...unpricedKey(store, day), revision });
}

/** Lists the days to price, which need not be final yet, ascending. */
export async function listUnpriced(store: ChainReader): Promise<UtcDay[]> {
  const items = await queryItems(store.table, unpricedRange(store));
  return items.map(({ date }) => dayOfCheckpoint(String(date)));
}

/** Deletes the note of a priced day, unless the note is about a later revision, which another writer is storing. */
export const deleteUnpriced = (store: ChainStore, { day, revision }: DayRevision): Promise<void> =>
  store.table.deleteItem(unpricedKey(store, day), {
    ConditionExpression: 'revision <= :revision',
    ExpressionAttributeValues: { ':revision': revision },
  });
