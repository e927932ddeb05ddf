import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import { integer } from '../attributes/shared-attributes.ts';
import { readingSchema } from '../days/details.ts';
import { jsonText } from '../table/decode-item.ts';
import { itemKey } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';

/** The contract that records prices, as read shortly after midnight of a day. Its block need not be final. */
const feedSchema = z.object({
  tries: integer,
  /** Absent before the first attempt. */
  tried_at: z.optional(z.iso.datetime()),
  reading: z.optional(jsonText(readingSchema)),
});

export type FeedOfDay = z.output<typeof feedSchema>;

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
