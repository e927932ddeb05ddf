import { SECONDS_PER_DAY, startOfDay, type UtcDay } from '../core/figures/calendar.ts';

/** The activity on a day of a development chain. */
export interface Activity {
  /** Number of transactions, relative to a day without anything special at the end of the past. */
  readonly volume: number;
  /** The price that senders bid, in multiples of the usual price. */
  readonly bid: number;
}

const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday. */
const SATURDAY = 2;

/** Days left to the end of the past: a spike, and five days on which bids rise. */
const SPIKE = 26;
const CRISIS = { from: 17, through: 13, bid: 12 };

/** Returns a number from 0 up to, but not including, 1, the same for the same seed. */
const noise = (seed: number): number => {
  const value = Math.sin(seed) * 43_758.5453;
  return value - Math.floor(value);
};

/**
 * Returns the activity of a chain on a day, shaped like that of real chains: growth, quiet weekends, a spike and a fee crisis.
 * @param daysLeft days from this one to the end of the past, negative after it
 */
export function activityOn(chainId: number, day: UtcDay, daysLeft: number): Activity {
  const number = startOfDay(day) / SECONDS_PER_DAY;
  const isWeekend = (number - SATURDAY) % DAYS_PER_WEEK < 2;
  // Doubles in 45 days; stays where it is after the past.
  const growth = 0.5 ** (Math.max(0, daysLeft) / 45);
  const isSpike = daysLeft === SPIKE + (chainId % 3);
  const isCrisis = CRISIS.through <= daysLeft && daysLeft <= CRISIS.from;
  const size = 1 + (chainId % 5) / 8;
  const factor = (isWeekend ? 0.6 : 1) * (isSpike ? 2.5 : 1) * (isCrisis ? 1.5 : 1);
  return {
    volume: size * growth * factor * (0.85 + 0.3 * noise(chainId * 1_000 + number)),
    bid: isCrisis ? 1 + Math.round((CRISIS.bid - 1) * noise(number)) : 1,
  };
}
