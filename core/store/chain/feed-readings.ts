import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { AggregatorReading } from '../../figures/dollars.ts';
import { readingShape } from '../attributes/dollar-sums.ts';
import { integer } from '../attributes/shared-attributes.ts';
import { jsonText } from '../table/decode-item.ts';
import { feedKey } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';

/** The contract that records prices, as read shortly after midnight of a day. Its block need not be final. */
export interface FeedOfDay {
  readonly tries: number;
  /** Milliseconds since 1970; 0 before the first attempt. */
  readonly triedAt: number;
  readonly reading?: AggregatorReading | undefined;
}

const schema = z.object({
  tries: integer,
  tried_at: z.iso.datetime(),
  reading: z.optional(jsonText(z.object(readingShape))),
});

/** Reads the feed of a day. Ignores an item that cannot be read, because a price must not keep days from becoming final. */
export async function getFeed(store: ChainReader, day: UtcDay): Promise<FeedOfDay> {
  const { data } = schema.safeParse(await store.table.getItem(feedKey(store, day)));
  if (!data) return { tries: 0, triedAt: 0 };
  const { tries, tried_at, reading } = data;
  return { tries, triedAt: Date.parse(tried_at), reading };
}

/** Stores an attempt to read, unless another run has stored a reading meanwhile. */
export async function putFeed(
  store: ChainStore,
  day: UtcDay,
  { tries, triedAt, reading }: FeedOfDay,
): Promise<void> {
  const tried_at = new Date(triedAt).toISOString();
  const attributes = { tries, tried_at, reading: reading && JSON.stringify(reading) };
  await store.table.putIf(
    { ...feedKey(store, day), ...attributes },
    { ConditionExpression: 'attribute_not_exists(reading)' },
  );
}
