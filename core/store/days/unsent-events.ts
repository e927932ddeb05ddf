import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import { integer } from '../attributes/shared-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { unsentEventKey, unsentEventRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, queryItems } from '../table/table.ts';

/** A revision of a day whose event is not sent yet. */
export interface UnsentEvent {
  readonly day: UtcDay;
  readonly revision: number;
  /** The event says that the day has dollars now. */
  readonly isPriced?: boolean | undefined;
}

const unsentEventSchema = z.object({
  day: z.string(),
  revision: integer,
  is_priced: z.optional(z.boolean()),
  position: integer,
});

/**
 * Notes that an event is to be sent after those that are noted already. Each writer does this before it writes the day, so that no crash
 * loses the event.
 */
export async function saveUnsentEvent(store: ChainStore, event: UnsentEvent): Promise<void> {
  const position = Math.max(0, ...(await readEvents(store)).map((unsent) => unsent.position)) + 1;
  const { day, revision, isPriced } = event;
  const attributes = { day, revision, is_priced: isPriced, position };
  await store.table.putIf({ ...unsentEventKey(store, event), ...attributes });
}

export const deleteUnsentEvent = (store: ChainStore, event: UnsentEvent): Promise<void> =>
  store.table.deleteItem(unsentEventKey(store, event));

/** Lists the events that are not sent yet, in the order in which their days became final. */
export async function listUnsentEvents(store: ChainReader): Promise<UnsentEvent[]> {
  const events = await readEvents(store);
  return events
    .toSorted((a, b) => a.position - b.position)
    .map(({ day, revision, is_priced: isPriced }) => ({ day, revision, isPriced }));
}

async function readEvents(store: ChainReader) {
  const items = await queryItems(store.table, unsentEventRange(store));
  return items.map((item) => decodeItem(unsentEventSchema, store.chain, item));
}
