import type { UtcDay } from '#core/figures/calendar.ts';
import type { Random } from './random.ts';

/** The time of a block; `timestamp`, in seconds, is in `day`. */
export interface Slot {
  readonly day: UtcDay;
  readonly timestamp: number;
}

const SECONDS_PER_DAY = 86_400;
const MAX_A_DAY = 8;

/**
 * Generates the times of a chain's blocks; genesis is on the first day or the day before. Some days have none, some blocks
 * share a second, some are at midnight or right before.
 * @returns also two to four blocks of the day after the last
 */
export function randomTimes(random: Random, firstDay: UtcDay, days: number): Slot[] {
  const isGenesisBefore = random.chance(0.5);
  const genesis = isGenesisBefore ? timesOf(random, firstDay, -1, 1) : [];
  const first = timesOf(random, firstDay, 0, 1 + random.below(MAX_A_DAY));
  const later = Array.from({ length: days - 1 }, (_, index) => {
    const count = random.chance(0.1) ? 0 : random.below(MAX_A_DAY + 1);
    return timesOf(random, firstDay, index + 1, count);
  });
  return [...genesis, ...first, ...later.flat(), ...timesOf(random, firstDay, days, 2 + random.below(3))];
}

/** Chooses `count` days, including the first one. */
export const daysFrom = (firstDay: UtcDay, count: number): UtcDay[] =>
  Array.from({ length: count }, (_, index) => dayAt(midnightOf(firstDay, index)));

const midnightOf = (firstDay: UtcDay, daysAfter: number) =>
  Date.parse(firstDay) / 1000 + daysAfter * SECONDS_PER_DAY;

const dayAt = (midnight: number): UtcDay => new Date(midnight * 1000).toISOString().slice(0, 10);

function timesOf(random: Random, firstDay: UtcDay, daysAfter: number, count: number): Slot[] {
  const midnight = midnightOf(firstDay, daysAfter);
  const day = dayAt(midnight);
  const within = [0, SECONDS_PER_DAY - 1, ...Array.from({ length: 4 }, () => random.below(SECONDS_PER_DAY))];
  // Few different times, so that many blocks share one.
  return Array.from({ length: count }, () => random.pick(within))
    .toSorted((a, b) => a - b)
    .map((second) => ({ day, timestamp: midnight + second }));
}
