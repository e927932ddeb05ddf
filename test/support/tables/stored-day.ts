import type { UtcDay } from '#core/figures/calendar.ts';
import { decodeStoredDay, type StoredDay } from '#core/store/days/day-item.ts';
import { dayKey } from '#core/store/table/keys.ts';
import type { ChainReader } from '#core/store/table/table.ts';

/** Reads one day; returns undefined when it is not final. */
export async function getStoredDay(store: ChainReader, day: UtcDay): Promise<StoredDay | undefined> {
  const item = await store.table.getItem(dayKey(store, day));
  return item && decodeStoredDay(item);
}
