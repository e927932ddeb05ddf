import * as z from 'zod/mini';
import type { UtcDay } from '../chains/utc-day.ts';
import { integer } from './attributes.ts';
import type { ChainReader, ChainStore } from './chain-store.ts';
import { unsentEventKey, unsentEventRange } from './keys.ts';
import { queryItems } from './table.ts';

/** A revision of a day whose event is not sent yet. */
export interface UnsentEvent {
  readonly day: UtcDay;
  readonly revision: number;
}

const unsentEventSchema = z.object({ day: z.string(), revision: integer });

/** Saves that an event is to be sent. Each writer of a day does it before it writes the day, so that no crash loses the event. */
export async function saveUnsentEvent(store: ChainStore, event: UnsentEvent): Promise<void> {
  const { day, revision } = event;
  await store.table.putIf({ ...unsentEventKey(store, event), day, revision });
}

export const deleteUnsentEvent = (store: ChainStore, event: UnsentEvent): Promise<void> =>
  store.table.deleteItem(unsentEventKey(store, event));

/** Lists the events that are not sent yet, the earliest day first, and of a day the lowest revision first. */
export async function listUnsentEvents(store: ChainReader): Promise<UnsentEvent[]> {
  const items = await queryItems(store.table, { ...unsentEventRange(store), ConsistentRead: true });
  return items.map((item) => unsentEventSchema.parse(item));
}
