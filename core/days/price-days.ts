import { isDeepStrictEqual } from 'node:util';
import { readAggregator } from '../dollars/read-aggregator.ts';
import type { BlockRef } from '../figures/block.ts';
import { addDays, dayOf, type UtcDay } from '../figures/calendar.ts';
import type { DayFigures } from '../figures/day-figures.ts';
import {
  type AggregatorReading,
  type DollarSums,
  dollarAmount,
  NO_FEED,
  NO_STATE,
  noDollars,
  type PriceSource,
  priceAmount,
  priceDay,
  readingsAround,
} from '../figures/dollars.ts';
import type { DayProgress } from '../figures/progress.ts';
import { within } from '../rpc/deadline.ts';
import type { PricedAttributes } from '../store/attributes/day-attributes.ts';
import { getCheckpoint } from '../store/days/checkpoints.ts';
import { getFinalDay } from '../store/days/days.ts';
import { getDetails, getDetailsOfDay } from '../store/days/details.ts';
import { deleteUnpriced, getFeed, listUnpriced, putFeed } from '../store/days/notes.ts';
import type { DayVersion } from '../store/days/write-day.ts';
import { setPrice } from '../transitions/price.ts';
import type { DayRun } from './day-run.ts';

/* Chooses the feed that prices the fees of a day, and computes the fees in dollars. */

/** Pause after a failed attempt to read the aggregator, so that a day has at most two. */
const RETRY_MS = 12 * 3_600_000;
/** Hosts that are slow about the price must not delay the figures of a day. */
const MAX_READING_MS = 60_000;

/**
 * Reads which contract records prices today, and keeps it until blocks of this day show that the block of the reading is final. Nodes keep
 * the state of the latest blocks alone, so that this cannot be done later.
 */
export async function readFeedOfToday({ network, store, from }: DayRun): Promise<void> {
  const now = network.context.clock.now();
  const today = dayOf(now / 1_000);
  if (!network.chain.priceFeed || today < from) return;
  const { tries, tried_at, reading } = await getFeed(store, today);
  if (reading) return;
  if (tried_at !== undefined && now < Date.parse(tried_at) + RETRY_MS) return;
  const result = await within(network.context, MAX_READING_MS, async (context) => {
    const latest = await readAggregator({ ...network, context }, 'latest');
    // If hosts disagree about the latest block, a node may still keep the state of the final one.
    return latest ?? readAggregator({ ...network, context }, network.anchor);
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
  { network, store }: Pick<DayRun, 'network' | 'store'>,
  progress: DayProgress,
): Promise<{ readonly progress: DayProgress; readonly feed?: PriceSource }> {
  const { day, first, last, dollars } = progress;
  const { priceFeed } = network.chain;
  if (!priceFeed || (first && !dollars)) return { progress };
  const { reading } = await getFeed(store, day);
  const known = dollars ?? reading ?? (await getFeed(store, addDays(day, -1))).reading;
  // For this, a node needs the state of the past.
  const before = known || !last ? undefined : (await readAggregator(network, last))?.reading;
  const { aggregator } = known ?? before ?? {};
  if (aggregator === undefined) return { progress };
  const feed = { aggregator, maxAge: priceFeed.maxAge, reading };
  const begun = { ...noDollars(feed), readings: before ? [before] : [] };
  return { progress: { ...progress, dollars: dollars ?? begun }, feed };
}

/** A day of this age or less waits for the readings of the day after it, while that one is not final. */
const MAX_WAIT_DAYS = 2;

/**
 * Prices the final days around which everything is known by now. A doubt leaves a day without dollars, and never touches its other
 * figures. The next run continues.
 */
export async function priceDays(run: DayRun): Promise<void> {
  const { store } = run;
  const noted = new Set(await listUnpriced(store));
  const results = new Map<UtcDay, DayVersion | 'later' | undefined>();
  const price = async (day: UtcDay) => {
    if (results.has(day)) return results.get(day);
    const result = await priceFinalDay(run, day);
    results.set(day, result);
    return result;
  };
  for (const day of noted) {
    const after = addDays(day, 1);
    const own = await price(day);
    const next = own && (await price(after));
    // The note stays until the day after has its dollars too, or a note of its own.
    if (typeof own === 'object' && (next !== 'later' || noted.has(after))) await deleteUnpriced(store, own);
  }
  await run.sendEvents();
}

/** @returns the version that has its dollars; `later` if they are not known, or another run changed the day; undefined if it is not final */
async function priceFinalDay(run: DayRun, day: UtcDay): Promise<DayVersion | 'later' | undefined> {
  const { store, stats, network } = run;
  network.context.signal.throwIfAborted();
  const stored = await getFinalDay(store, day);
  if (!stored) return undefined;
  const { figures, version, price } = stored;
  const attributes = await attributesOf(run, figures, (await getDetails(store, version))?.dollars);
  if (!attributes) return 'later';
  if (!isDeepStrictEqual(price, attributes) && !(await setPrice(store, version, attributes))) return 'later';
  if (attributes.unpriced_reason !== undefined) stats.unpriced.push(`${day}: ${attributes.unpriced_reason}`);
  return version;
}

/**
 * Prices a day from its own sums, the last price of the day before, and the readings of the days around it.
 * @returns undefined while readings may still come
 */
async function attributesOf(
  { network, store }: DayRun,
  { day, first, last, parentHash }: DayFigures,
  sums: DollarSums | undefined,
): Promise<PricedAttributes | undefined> {
  if (!sums) return { unpriced_reason: network.chain.priceFeed ? NO_STATE : NO_FEED };
  const [dayBefore, dayAfter] = [addDays(day, -1), addDays(day, 1)];
  const earlier = (await getDetailsOfDay(store, dayBefore))?.dollars;
  const final = await getDetailsOfDay(store, dayAfter);
  // The readings of a day that is not final count once its blocks are known to be canonical.
  const later = (final ?? (await getCheckpoint(store, dayAfter)).anchored)?.dollars;
  const numbers = { before: (first?.number ?? last.number + 1) - 1, last: last.number };
  const readings = [earlier, sums, later].flatMap((one) => one?.readings ?? []);
  if (!readingsAround({ ...numbers, readings })) {
    const today = dayOf(network.context.clock.now() / 1_000);
    if (!final && day >= addDays(today, -MAX_WAIT_DAYS)) return undefined;
    const before = { number: numbers.before, hash: parentHash };
    readings.push(...(await readEnds(network, before, last, readings)));
  }
  const start = earlier?.aggregator === sums.aggregator ? earlier.last : undefined;
  const priced = priceDay(sums, { ...numbers, start, readings });
  if (priced.kind === 'not priced') return { unpriced_reason: priced.reason };
  const { updates, aggregator } = sums;
  const price = sums.first &&
    sums.last && {
      first: priceAmount(sums.first),
      last: priceAmount(sums.last),
      updates,
      aggregator,
      evidence: priced.evidence,
    };
  return { fees_usd: dollarAmount(priced.dollars), price };
}

/** Reads the aggregator at the ends of a past day that have no reading. Nodes that keep no state of the past do not answer. */
async function readEnds(
  network: DayRun['network'],
  before: BlockRef,
  last: BlockRef,
  known: readonly AggregatorReading[],
): Promise<AggregatorReading[]> {
  const read: AggregatorReading[] = [];
  const isStartRead = known.some(({ number }) => number <= before.number);
  const isEndRead = known.some(({ number }) => number >= last.number);
  for (const end of [isStartRead ? undefined : before, isEndRead ? undefined : last]) {
    const reading = end && (await readAggregator(network, end))?.reading;
    if (reading) read.push(reading);
  }
  return read;
}
