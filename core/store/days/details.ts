import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails } from '../../figures/day-figures.ts';
import { detailsOf, detailsShape, toDetailAttributes } from '../attributes/detail-attributes.ts';
import { readItem } from '../table/decode-item.ts';
import { type DayRevision, dayKey, revisionKey } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';

/*
 * Hours and counts of fees have an item of their own, so that requests for days do not read them. Readers look it up by the revision of
 * the day, so they do not find it before the day is written.
 */

const schema = z.object(detailsShape);

export const putDetails = (store: ChainStore, of: DayRevision, details: DayDetails): Promise<boolean> =>
  store.table.putIf({ ...revisionKey(store, 'details', of), ...toDetailAttributes(details) });

/** Reads the details of a revision of a day; returns undefined when it was imported without them. */
export async function getDetails(store: ChainReader, of: DayRevision): Promise<DayDetails | undefined> {
  const item = await readItem(schema, store, revisionKey(store, 'details', of));
  return item && detailsOf(item);
}

/** Reads the details of a final day; returns undefined when it was imported without them. */
export async function getDetailsOfDay(store: ChainReader, day: UtcDay): Promise<DayDetails | undefined> {
  const item = await store.table.getItem(dayKey(store, day));
  return item && getDetails(store, { day, revision: Number(item.revision) });
}
