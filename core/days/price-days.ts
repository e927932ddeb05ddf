import { isDeepStrictEqual } from 'node:util';
import { readAggregator } from '../dollars/read-aggregator.ts';
import { addDays, dayOf, type UtcDay } from '../figures/calendar.ts';
import type { DayFigures } from '../figures/day-figures.ts';
import {
  type AggregatorReading,
  type DayDollars,
  type DollarSums,
  dollarAmount,
  NO_FEED,
  NO_STATE,
  priceAmount,
  priceDay,
  readingsAround,
} from '../figures/dollars.ts';
import type { PricedAttributes } from '../store/attributes/day-attributes.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import { getCheckpoint } from '../store/days/checkpoints.ts';
import { getFinalDay, putPrice } from '../store/days/days.ts';
import { getDetails, getDetailsOfDay } from '../store/days/details.ts';
import { deleteUnpriced, listUnpriced, saveUnsentEvent } from '../store/days/notes.ts';
import type { DayVersion } from '../store/days/write-day.ts';
import type { DayRun } from './day-run.ts';
import { refreshCoverage } from './refresh-coverage.ts';

/** Days to price in one run. The coverage lists at most 64 changed days. */
const MAX_DAYS = 50;
/** Days after which a day without a day after it waits for no reading. */
const MAX_WAIT_DAYS = 2;

/**
 * Prices the final days around which everything is known by now. A doubt leaves a day without dollars, and never touches its other
 * figures. The next run continues.
 */
export async function priceDays(run: DayRun): Promise<void> {
  const { store, stats, source } = run;
  const priced: UtcDay[] = [];
  const noted = await listUnpriced(store);
  try {
    for (const day of new Set(noted.flatMap((one) => [one, addDays(one, 1)]))) {
      source.context.signal.throwIfAborted();
      const stored = await getFinalDay(store, day);
      if (!stored) continue;
      const { figures, version, price } = stored;
      const sums = (await getDetails(store, version))?.dollars;
      const result = sums
        ? await dollarsOf(run, figures, sums)
        : notPriced(source.chain.priceFeed ? NO_STATE : NO_FEED);
      if (result.kind === 'not yet') continue;
      const attributes = attributesOf(result, sums);
      if (isDeepStrictEqual(price, attributes)) await deleteUnpriced(store, version);
      else if (await savePrice(run, version, attributes)) priced.push(day);
      if (result.kind === 'not priced') stats.unpriced.push(`${day}: ${result.reason}`);
      if (priced.length === MAX_DAYS) break;
    }
  } finally {
    // Also when its time is over: otherwise caches would keep these days without dollars.
    if (priced.length > 0) await refreshCoverage(store, (await getCoverage(store))?.from ?? run.from, priced);
  }
  await run.sendEvents();
}

const notPriced = (reason: string): DayDollars => ({ kind: 'not priced', reason });

/** @returns false when another run changed the day meanwhile: a later run prices it */
async function savePrice({ store }: DayRun, of: DayVersion, attributes: PricedAttributes): Promise<boolean> {
  if (attributes.price) await saveUnsentEvent(store, { ...of, isPriced: true });
  const isSaved = await putPrice(store, of, attributes);
  if (isSaved) await deleteUnpriced(store, of);
  return isSaved;
}

function attributesOf(result: DayDollars, sums: DollarSums | undefined): PricedAttributes {
  if (result.kind === 'not priced') return { unpriced_reason: result.reason };
  const { first, last, updates, aggregator } = sums as DollarSums;
  return {
    fees_usd: dollarAmount(result.dollars),
    price: first &&
      last && {
        first: priceAmount(first),
        last: priceAmount(last),
        updates,
        aggregator,
        evidence: result.evidence,
      },
  };
}

/** Prices a day from its own sums, the last price of the day before, and the readings of the days around it. */
async function dollarsOf(
  run: DayRun,
  { day, first, last, parentHash }: DayFigures,
  sums: DollarSums,
): Promise<DayDollars | { readonly kind: 'not yet' }> {
  const { source, store } = run;
  const earlier = (await getDetailsOfDay(store, addDays(day, -1)))?.dollars;
  const later = await sumsAfter(run, day);
  const numbers = { before: (first?.number ?? last.number + 1) - 1, last: last.number };
  const readings = [earlier, sums, later.dollars].flatMap((one) => one?.readings ?? []);
  if (!readingsAround({ ...numbers, readings })) {
    if (!later.isFinal && isRecent(run, day)) return { kind: 'not yet' };
    readings.push(...(await readEnds(source, numbers, { parentHash, last, readings })));
  }
  const start = earlier?.aggregator === sums.aggregator ? earlier.last : undefined;
  return priceDay(sums, { ...numbers, start, readings });
}

/** Returns the sums of the day after, once blocks of it are known to be canonical. */
async function sumsAfter({ store }: DayRun, day: UtcDay) {
  const after = addDays(day, 1);
  const final = await getDetailsOfDay(store, after);
  if (final) return { isFinal: true, dollars: final.dollars };
  return { isFinal: false, dollars: (await getCheckpoint(store, after)).anchored?.dollars };
}

const isRecent = ({ source }: DayRun, day: UtcDay): boolean =>
  day > addDays(dayOf(source.context.clock.now() / 1_000), -1 - MAX_WAIT_DAYS);

/** Reads the aggregator at the ends of a past day that have no reading. Nodes that keep no state of the past do not answer. */
async function readEnds(
  source: DayRun['source'],
  { before, last }: { readonly before: number; readonly last: number },
  day: Pick<DayFigures, 'parentHash' | 'last'> & { readonly readings: readonly AggregatorReading[] },
): Promise<readonly AggregatorReading[]> {
  const ends = [
    ...(day.parentHash !== undefined && !day.readings.some(({ number }) => number <= before)
      ? [{ number: before, hash: day.parentHash }]
      : []),
    ...(day.readings.some(({ number }) => number >= last) ? [] : [day.last]),
  ];
  const read: AggregatorReading[] = [];
  for (const end of ends) {
    const result = await readAggregator(source, end);
    if (result.kind === 'read') read.push(result.reading);
  }
  return read;
}
