import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails } from '../../figures/day-figures.ts';
import { dayRange } from '../table/keys.ts';
import { type ChainReader, chainStore, isUnchanged, type Table } from '../table/table.ts';
import { decodeStoredDay, type StoredDay } from './day-item.ts';
import { putDetails } from './details.ts';
import { noteUnpriced } from './unpriced-days.ts';
import { saveUnsentEvent } from './unsent-events.ts';

/* Reads and writes complete items of final days, to copy them from one table to another. */

/**
 * Reads the final days from `first` to `last`, both included, in ascending order. Reads a page when the caller needs it.
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

/** A day with its details, which are undefined when it was imported without them. */
export interface StoredDayWithDetails {
  readonly day: StoredDay;
  readonly details?: DayDetails | undefined;
}

/**
 * Replaces the stored revision of a day as `copyStoredDay` does. First saves a note that its event is to be sent.
 * @returns false when another writer changed the day since
 */
export async function putStoredDay(
  table: Table,
  day: StoredDay,
  before: number,
  details?: DayDetails,
): Promise<boolean> {
  await saveUnsentEvent(chainStore(table, day.chain), { day: day.date, revision: day.revision });
  return copyStoredDay(table, day, before, details);
}

/**
 * Replaces the stored revision of a day, whose event was sent before. First saves its details.
 * @param before the stored revision, or 0 when none is stored
 * @returns false when another writer changed the day since
 */
export async function copyStoredDay(
  table: Table,
  day: StoredDay,
  before: number,
  details?: DayDetails,
): Promise<boolean> {
  const store = chainStore(table, day.chain);
  const of = { day: day.date, revision: day.revision };
  if (details) await putDetails(store, of, details);
  const isUnpriced = day.price === undefined && day.unpriced_reason === undefined;
  if (details?.dollars && isUnpriced) await noteUnpriced(store, of);
  return table.putIf(day, isUnchanged('revision', before));
}
