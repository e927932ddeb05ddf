import { countDays, earlier, later, type UtcDay } from '../../lambda/chains/utc-day.ts';

/**
 * How far a day is, 0 to 1, in those from the first that came: how many will come nobody knows.
 * @param last that may be asked for; days after yesterday cannot be there
 */
export const shareOfDays = (first: UtcDay, day: UtcDay, last: UtcDay, yesterday: UtcDay): number =>
  countDays(first, day) / countDays(first, later(day, earlier(last, yesterday)));
