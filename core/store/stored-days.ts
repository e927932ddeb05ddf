import type { UtcDay } from '../figures/calendar.ts';
import { decodeStoredDay, type StoredDay } from './day-item.ts';
import { dayKey, dayRange } from './keys.ts';
import { withFormerNames } from './shared-attributes.ts';
import { type ChainReader, chainStore, isUnchanged, type Table } from './table.ts';
import { saveUnsentEvent } from './unsent-events.ts';

/* Whole items of final days, to copy them from one table to another. */

/**
 * Reads the final days from `first` to `last`, both included, ascending: page by page, as fast as the caller consumes them.
 * @throws UnknownItemError
 */
export async function* readStoredDays(
  store: ChainReader,
  first: UtcDay,
  last: UtcDay,
): AsyncGenerator<StoredDay> {
  const pages = store.table.queryPages(dayRange(store, first, last));
  for await (const items of pages) yield* items.map(decodeStoredDay);
}

/** Reads one day; returns undefined when it is not final. */
export async function getStoredDay(store: ChainReader, day: UtcDay): Promise<StoredDay | undefined> {
  const item = await store.table.getItem(dayKey(store, day));
  return item && decodeStoredDay(item);
}

/**
 * Writes a day over the revision that is stored. Saves first that its event is to be sent.
 * @param before the stored revision, or 0 when none is stored
 * @returns false when another writer changed the day since
 */
export async function putStoredDay(table: Table, day: StoredDay, before: number): Promise<boolean> {
  await saveUnsentEvent(chainStore(table, day.chain), { day: day.date, revision: day.revision });
  return table.putIf(withFormerNames(day), isUnchanged('revision', before));
}
