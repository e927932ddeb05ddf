/**
 * A UTC calendar day, `YYYY-MM-DD`. Days compare and sort as strings.
 * A block belongs to the day that its timestamp (whole seconds since 1970-01-01T00:00:00Z) falls in.
 */
export type UtcDay = string;

export const SECONDS_PER_DAY = 86_400;

/** The day that a timestamp (seconds) falls in. */
export function dayOf(timestamp: number): UtcDay {
  return new Date(timestamp * 1000).toISOString().slice(0, 10);
}

/** The timestamp (seconds) of the midnight that a day starts with. */
export function startOfDay(day: UtcDay): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

/** The day `count` days after `day`; a negative count goes back. */
export function addDays(day: UtcDay, count: number): UtcDay {
  return dayOf(startOfDay(day) + count * SECONDS_PER_DAY);
}

/** Counts the days from one day to another, both included; 0 when `last` is before `first`. */
export function countDays(first: UtcDay, last: UtcDay): number {
  return Math.max(0, (startOfDay(last) - startOfDay(first)) / SECONDS_PER_DAY + 1);
}

/** The earlier and the later of two days. */
export const earlier = (a: UtcDay, b: UtcDay): UtcDay => (a < b ? a : b);
export const later = (a: UtcDay, b: UtcDay): UtcDay => (a > b ? a : b);
