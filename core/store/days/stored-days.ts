import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails } from '../../figures/day-details.ts';
import { dayKey, dayRange } from '../table/keys.ts';
import { type ChainReader, chainStore, isUnchanged, type Table } from '../table/table.ts';
import { decodeStoredDay, type StoredDay } from './day-item.ts';
import { putDetails, readDetails } from './details.ts';
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

/** Reads days as `readStoredDays` does, with their details. */
export async function* readDaysWithDetails(
  store: ChainReader,
  first: UtcDay,
  last: UtcDay,
): AsyncGenerator<StoredDayWithDetails> {
  for await (const items of store.table.queryPages(dayRange(store, first, last))) {
    const days = items.map(decodeStoredDay);
    const [start, end] = [days[0]?.date, days.at(-1)?.date];
    if (start === undefined || end === undefined) continue;
    const detailsOf = await readDetails(store, { first: start, last: end });
    yield* days.map((day) => ({ day, details: detailsOf({ day: day.date, revision: day.revision }) }));
  }
}

/** Reads one day; returns undefined when it is not final. */
export async function getStoredDay(store: ChainReader, day: UtcDay): Promise<StoredDay | undefined> {
  const item = await store.table.getItem(dayKey(store, day));
  return item && decodeStoredDay(item);
}

/** Returns whether a stored day has not been priced yet. */
export const isUnpriced = ({ price, unpriced_reason }: StoredDay): boolean =>
  price === undefined && unpriced_reason === undefined;

/**
 * Replaces the stored revision of a day. First saves its details, and a note that its event is to be sent.
 * @param before the stored revision, or 0 when none is stored
 * @returns false when another writer changed the day since
 */
export async function putStoredDay(
  table: Table,
  day: StoredDay,
  before: number,
  details?: DayDetails,
): Promise<boolean> {
  const store = chainStore(table, day.chain);
  const of = { day: day.date, revision: day.revision };
  if (details) await putDetails(store, of, details);
  if (details?.dollars && isUnpriced(day)) await noteUnpriced(store, of);
  await saveUnsentEvent(store, of);
  return table.putIf(day, isUnchanged('revision', before));
}
