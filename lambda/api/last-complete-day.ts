import { dayOf, SECONDS_PER_DAY, type UtcDay } from '../../core/figures/calendar.ts';

let latest = { number: 0, day: '' };

/** Returns the last complete day. It is formatted once a day: formatting took a fifteenth of a warm request. */
export function lastCompleteDay(): UtcDay {
  const number = Math.floor(Date.now() / 1_000 / SECONDS_PER_DAY) - 1;
  if (number !== latest.number) latest = { number, day: dayOf(number * SECONDS_PER_DAY) };
  return latest.day;
}
