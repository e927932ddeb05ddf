import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails } from '../../figures/day-figures.ts';
import { detailsOf, detailsShape, toDetailAttributes } from '../attributes/detail-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { type DayRevision, dayKey, detailsKey } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';

/* Hours and counts of fees have an item of their own, so that requests for days do not read them. */

const schema = z.object(detailsShape);

/**
 * Stores the details of a revision of a day. Each writer does this before it writes the day, so that no crash leaves a day without
 * details. Readers look them up by the revision, so they do not find them before the day is written.
 */
export async function putDetails(store: ChainStore, of: DayRevision, details: DayDetails): Promise<void> {
  await store.table.putIf({ ...detailsKey(store, of), ...toDetailAttributes(details) });
}

/** Reads the details of a revision of a day; returns undefined when it was imported without them. */
export async function getDetails(store: ChainReader, of: DayRevision): Promise<DayDetails | undefined> {
  const item = await store.table.getItem(detailsKey(store, of));
  return item && detailsOf(decodeItem(schema, store.chain, item));
}

/** Reads the details of a final day; returns undefined when it was imported without them. */
export async function getDetailsOfDay(store: ChainReader, day: UtcDay): Promise<DayDetails | undefined> {
  const item = await store.table.getItem(dayKey(store, day));
  return item && getDetails(store, { day, revision: Number(item.revision) });
}
