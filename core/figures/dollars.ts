/*
 * Fees in dollars. Each block's fees are multiplied by the last price that a feed recorded in an earlier block. Sums of consecutive
 * blocks can be joined in any grouping, so parts of a day may be read in any order.
 */

import { exactDecimal, unitsOf } from './decimals.ts';

/** The contract that records the prices of a feed, as read at a block. */
export interface AggregatorReading {
  readonly number: number;
  readonly hash: string;
  readonly aggregator: string;
  /** `proven`: it follows from the state root of the block. `reported`: two hosts say so. */
  readonly evidence: (typeof priceEvidences)[number];
}

/** The address that a feed names if nothing records its prices, or if no feed exists. */
export const NO_AGGREGATOR = `0x${'0'.repeat(40)}`;

export const priceEvidences = ['proven', 'reported'] as const;

/** The contract that records prices, and how long a price is valid. */
export interface PriceSource {
  readonly aggregator: string;
  /** Seconds after which a price is stale. */
  readonly maxAge: number;
  /** A reading at a block that is not known to be final. It counts once that block has been read too. */
  readonly reading?: AggregatorReading | undefined;
}

export interface PriceUpdate {
  /** Dollars per coin, times 10⁸, above 0. */
  readonly answer: bigint;
  /** Number of the aggregator's round. Each update has the next one. */
  readonly round: bigint;
  /** Seconds since 1970: the timestamp of its block. */
  readonly updatedAt: number;
}

/** The fees of consecutive blocks in dollars, for those blocks that their own updates price. */
export interface DollarSums extends Pick<PriceSource, 'aggregator' | 'maxAge'> {
  /** Fees in wei up to and including the block of the first update. An update before these blocks prices them. */
  readonly unpriced: bigint;
  /** Timestamp of the last of those blocks with fees; 0 if none has fees. */
  readonly unpricedUntil: number;
  /** 10⁻²⁶ dollars: wei times answers. */
  readonly priced: bigint;
  readonly first?: PriceUpdate | undefined;
  readonly last?: PriceUpdate | undefined;
  readonly updates: number;
  /** Readings whose block is one of these, or the one before them. */
  readonly readings: readonly AggregatorReading[];
  /** The first reason to doubt a price. With one, the day has no dollars. */
  readonly doubt?: string | undefined;
}

export const noDollars = ({ aggregator, maxAge }: PriceSource): DollarSums => ({
  aggregator,
  maxAge,
  unpriced: 0n,
  unpricedUntil: 0,
  priced: 0n,
  updates: 0,
  readings: [],
});

interface PricedBlock {
  readonly number: number;
  readonly hash: string;
  readonly timestamp: number;
  /** Everything that its senders paid, in wei. */
  readonly fees: bigint;
  readonly updates: readonly PriceUpdate[];
  readonly doubt?: string | undefined;
}

/** Returns the sums of one block. A price that the block itself records does not apply to it, because no sender could know it. */
export function dollarsOf(source: PriceSource, block: PricedBlock): DollarSums {
  const { number, hash, timestamp, fees, updates } = block;
  const { reading } = source;
  const doubts = updates.slice(1).map((update, index) => successionDoubt(updates[index], update));
  return {
    ...noDollars(source),
    unpriced: fees,
    unpricedUntil: fees > 0n ? timestamp : 0,
    first: updates[0],
    last: updates.at(-1),
    updates: updates.length,
    readings: reading?.number === number && reading.hash === hash ? [reading] : [],
    doubt: block.doubt ?? doubts.find((doubt) => doubt !== undefined),
  };
}

export function joinDollars(before: DollarSums, after: DollarSums): DollarSums {
  const { last, aggregator } = before;
  const isSame = after.aggregator === aggregator;
  const joined = {
    last: after.last ?? last,
    updates: before.updates + after.updates,
    readings: [...before.readings, ...after.readings],
    doubt:
      before.doubt ??
      (isSame ? undefined : `changed: the aggregator was ${aggregator}, then ${after.aggregator}`) ??
      after.doubt ??
      ageDoubt(last, after, before.maxAge) ??
      successionDoubt(last, after.first),
  };
  const priced = before.priced + after.priced;
  if (last) return { ...before, ...joined, priced: priced + after.unpriced * last.answer };
  const unpriced = before.unpriced + after.unpriced;
  const unpricedUntil = Math.max(before.unpricedUntil, after.unpricedUntil);
  return { ...after, ...joined, unpriced, unpricedUntil };
}

/** Prices from the blocks around a day. */
export interface AroundDay {
  /** The last update before the day; needed if fees were paid before its first update. */
  readonly start?: PriceUpdate | undefined;
  readonly readings: readonly AggregatorReading[];
  /** Number of the last block before the day. */
  readonly before: number;
  /** Number of its last block. */
  readonly last: number;
}

type PricedDay =
  | { readonly kind: 'priced'; readonly dollars: bigint; readonly evidence: (typeof priceEvidences)[number] }
  | { readonly kind: 'not priced'; readonly reason: string };

/**
 * Prices all blocks of a day, if equal readings around it name the aggregator of its prices.
 * @returns the sum in 10⁻²⁶ dollars, or why it has none
 */
export function priceDay(day: DollarSums, { start, ...around }: AroundDay): PricedDay {
  const notPriced = (reason: string): PricedDay => ({ kind: 'not priced', reason });
  const readings = readingsAround(around);
  if (!readings) return notPriced(NO_STATE);
  const other = readings.find(({ aggregator }) => aggregator !== day.aggregator);
  if (other)
    return notPriced(
      `changed: the feed uses ${other.aggregator} at block ${other.number}, and not ${day.aggregator}`,
    );
  if (day.aggregator === NO_AGGREGATOR)
    return notPriced('no aggregator: the feed names no contract that records prices');
  if (day.updates === 0) return notPriced('no price: the feed recorded none on the day');
  if (!start && day.unpriced > 0n) return notPriced('no start: the last price before the day is not known');
  const whole = start ? joinDollars({ ...noDollars(day), first: start, last: start }, day) : day;
  if (whole.doubt !== undefined) return notPriced(whole.doubt);
  const isProven = readings.every(({ evidence }) => evidence === 'proven');
  return { kind: 'priced', dollars: whole.priced, evidence: isProven ? 'proven' : 'reported' };
}

export const NO_STATE = 'no state: no endpoint said which aggregator the feed used before and after the day';

export const NO_FEED = 'no feed: we know no feed of the price of its coin on this chain';

/** Returns the last reading before a day, those within it, and the first after it; undefined when one of these two is missing. */
export function readingsAround({
  readings,
  before,
  last,
}: Omit<AroundDay, 'start'>): AggregatorReading[] | undefined {
  const sorted = readings.toSorted((a, b) => a.number - b.number);
  const from = sorted.findLastIndex(({ number }) => number <= before);
  const to = sorted.findIndex(({ number }, index) => number >= last && index > from);
  return from === -1 || to === -1 ? undefined : sorted.slice(from, to + 1);
}

function ageDoubt(price: PriceUpdate | undefined, { unpricedUntil }: DollarSums, maxAge: number) {
  if (!price) return undefined;
  // Negative if no block with fees needs the price.
  const age = unpricedUntil - price.updatedAt;
  if (age <= maxAge) return undefined;
  return `stale: the price of round ${price.round} was ${age} seconds old, and at most ${maxAge} count`;
}

/** A real price never changes by this factor between two rounds. */
const MAX_JUMP = 10n;

function successionDoubt(before: PriceUpdate | undefined, after: PriceUpdate | undefined) {
  if (!before || !after) return undefined;
  if (after.round !== before.round + 1n) return `gap: round ${after.round} follows round ${before.round}`;
  const isJump = after.answer > before.answer * MAX_JUMP || after.answer * MAX_JUMP < before.answer;
  if (!isJump) return undefined;
  return `jump: the price went from ${before.answer} to ${after.answer} in round ${after.round}`;
}

export const ANSWER_DECIMALS = 8;
/** Digits after the point of a dollar: 18 of wei and those of an answer. */
const DECIMALS = 18 + ANSWER_DECIMALS;

/** Formats 10⁻²⁶ dollars as an exact decimal without trailing zeros. */
export const dollarAmount = (dollars: bigint): string => exactDecimal(dollars, DECIMALS);

/** Adds amounts of dollars; undefined if one is not known, because part of a period would look like all of it. */
export function sumOfDollars(amounts: readonly (string | undefined)[]): string | undefined {
  const known = amounts.filter((amount) => amount !== undefined);
  if (known.length < amounts.length) return undefined;
  return dollarAmount(known.reduce((sum, amount) => sum + dollarsOfAmount(amount), 0n));
}

/** Reads what `dollarAmount` wrote. */
export const dollarsOfAmount = (amount: string): bigint => unitsOf(amount, DECIMALS);

export const priceAmount = ({ answer }: PriceUpdate): string => dollarAmount(answer * 10n ** 18n);
