import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import { integer, optionalInteger } from '../attributes/shared-attributes.ts';
import { jsonText, readItems } from '../table/decode-item.ts';
import { type DayRevision, dayOfKey, itemKey, kindRange, revisionKey } from '../table/keys.ts';
import { type ChainReader, type ChainStore, isUnchanged, queryItems, type Write } from '../table/table.ts';
import { readingSchema } from './details.ts';

/* Notes of what is to be done after a day is published: to price it, once the prices around it are known, and to send its events. */

/** Returns the note that a revision of a day is to be priced, and so is the day after it, whose first blocks use the last price of this day. */
export const noteUnpriced = (store: ChainReader, { day, revision }: DayRevision): Write => ({
  put: { ...itemKey(store, 'unpriced', day), revision },
});

/** Lists the days to price, which need not be final yet, ascending. */
export async function listUnpriced(store: ChainReader): Promise<UtcDay[]> {
  const items = await queryItems(store.table, kindRange(store, 'unpriced'));
  return items.map(({ date }) => dayOfKey(String(date)));
}

/** Deletes the note of a priced day, unless the note is about a later revision. */
export const deleteUnpriced = (store: ChainStore, { day, revision }: DayRevision): Promise<void> =>
  store.table.deleteItem(itemKey(store, 'unpriced', day), {
    ConditionExpression: 'revision <= :revision',
    ExpressionAttributeValues: { ':revision': revision },
  });

/** The contract that records prices, as read shortly after midnight of a day. Its block need not be final. */
const feedSchema = z.object({
  tries: integer,
  /** Absent before the first attempt. */
  tried_at: z.optional(z.iso.datetime()),
  reading: z.optional(jsonText(readingSchema)),
});

type FeedOfDay = z.output<typeof feedSchema>;

/** Reads the feed of a day. Ignores an item that cannot be read, because a price must not keep days from becoming final. */
export async function getFeed(store: ChainReader, day: UtcDay): Promise<FeedOfDay> {
  const { data } = feedSchema.safeParse(await store.table.getItem(itemKey(store, 'feed', day)));
  return data ?? { tries: 0 };
}

/** Stores an attempt to read, unless another run has stored a reading meanwhile. */
export async function putFeed(
  store: ChainStore,
  day: UtcDay,
  { reading, ...tried }: FeedOfDay,
): Promise<void> {
  await store.table.putIf(
    { ...itemKey(store, 'feed', day), ...tried, reading: reading && JSON.stringify(reading) },
    { ConditionExpression: 'attribute_not_exists(reading)' },
  );
}

/** A revision of a day whose event is not sent yet. */
const unsentEventSchema = z.object({
  day: z.string(),
  revision: integer,
  /** True if the event says that the day has dollars now. */
  is_priced: z.optional(z.boolean()),
  /** The addition to the revision that the event is about: dollars, a proof of an archived day, or another copy. */
  amendment: optionalInteger,
  position: integer,
});

export type UnsentEvent = z.output<typeof unsentEventSchema>;

const unsentEventKey = (store: ChainReader, { is_priced, ...of }: UnsentEvent) => {
  const { chain, date } = revisionKey(store, 'event', of);
  return { chain, date: is_priced ? `${date}#priced` : date };
};

/** Returns the note that an event is to be sent. @param event its position is the revision of the commit that changes the day */
export const noteUnsentEvent = (store: ChainReader, event: UnsentEvent): Write => ({
  put: { ...event, ...unsentEventKey(store, event) },
});

/** Deletes the note of an event, unless it was saved again meanwhile. */
export const deleteUnsentEvent = (store: ChainStore, event: UnsentEvent): Promise<void> =>
  store.table.deleteItem(unsentEventKey(store, event), isUnchanged('position', event.position));

/** Lists the events that are not sent yet, in the order in which their days became final. */
export async function listUnsentEvents(store: ChainReader): Promise<UnsentEvent[]> {
  return (await readEvents(store)).toSorted((a, b) => a.position - b.position);
}

const readEvents = (store: ChainReader) => readItems(unsentEventSchema, store, kindRange(store, 'event'));
