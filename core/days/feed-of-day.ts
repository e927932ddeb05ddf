import { readAggregator } from '../dollars/read-aggregator.ts';
import { addDays, dayOf } from '../figures/calendar.ts';
import { noDollars, type PriceSource } from '../figures/dollars.ts';
import type { DayProgress } from '../figures/progress.ts';
import { within } from '../rpc/deadline.ts';
import { getFeed, putFeed } from '../store/chain/feed-readings.ts';
import type { DayRun } from './day-run.ts';

/** Tries a day to read the aggregator. */
const MAX_TRIES = 2;
const RETRY_MS = 12 * 3_600_000;
/** Hosts that are slow about the price must not delay the figures of a day. */
const MAX_READING_MS = 60_000;

/**
 * Reads which contract records prices today, and keeps it until blocks of this day show that the block of the reading is final. Nodes keep
 * the state of the latest blocks alone, so that this cannot be done later.
 */
export async function readFeedOfToday({ source, store, from }: DayRun): Promise<void> {
  const now = source.context.clock.now();
  const today = dayOf(now / 1_000);
  if (!source.chain.priceFeed || today < from) return;
  const { tries, tried_at, reading } = await getFeed(store, today);
  if (reading || tries >= MAX_TRIES) return;
  if (tried_at !== undefined && now < Date.parse(tried_at) + RETRY_MS) return;
  const result = await within(source.context, MAX_READING_MS, async (context) => {
    const latest = await readAggregator({ ...source, context }, 'latest');
    // Where hosts disagree about the latest block, and a node keeps the state of the final one.
    return latest ?? readAggregator({ ...source, context }, source.anchor);
  });
  const tried = { tries: tries + 1, tried_at: new Date(now).toISOString() };
  if (!result) return putFeed(store, today, tried);
  // Shortly after midnight, that block may be of the day before.
  if (dayOf(result.timestamp) === today) await putFeed(store, today, { ...tried, reading: result.reading });
}

/**
 * Returns the progress of a day with the feed whose prices its next blocks may record. A day has one feed; without one, it has no
 * dollars.
 */
export async function feedOfDay(
  { source, store }: Pick<DayRun, 'source' | 'store'>,
  progress: DayProgress,
): Promise<{ readonly progress: DayProgress; readonly feed?: PriceSource }> {
  const { day, first, last, dollars } = progress;
  const { priceFeed } = source.chain;
  if (!priceFeed || (first && !dollars)) return { progress };
  const { reading } = await getFeed(store, day);
  const known = dollars ?? reading ?? (await getFeed(store, addDays(day, -1))).reading;
  // For this, a node needs the state of the past.
  const before = known || !last ? undefined : (await readAggregator(source, last))?.reading;
  const { aggregator } = known ?? before ?? {};
  if (aggregator === undefined) return { progress };
  const feed = { aggregator, maxAge: priceFeed.maxAge, reading };
  const begun = { ...noDollars(feed), readings: before ? [before] : [] };
  return { progress: { ...progress, dollars: dollars ?? begun }, feed };
}
