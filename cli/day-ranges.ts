import { addDays, countDays, startOfDay, type UtcDay } from '../lambda/chains/utc-day.ts';

/** Days that follow one another, both included. */
export interface DayRange {
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  readonly days: number;
}

/** The days from `first` to `last` that are not among the given ones. */
export function missingDays(first: UtcDay, last: UtcDay, days: Iterable<UtcDay>): UtcDay[] {
  const known = new Set(days);
  return daysBetween(first, last).filter((day) => !known.has(day));
}

/** Every day from `first` to `last`, both included. */
export const daysBetween = (first: UtcDay, last: UtcDay): UtcDay[] =>
  Array.from({ length: countDays(first, last) }, (_, index) => addDays(first, index));

/** @param days ascending */
export function groupIntoRanges(days: readonly UtcDay[]): DayRange[] {
  const ranges: DayRange[] = [];
  for (const day of days) {
    const before = ranges.at(-1);
    if (before && addDays(before.end_date, 1) === day) {
      ranges[ranges.length - 1] = { ...before, end_date: day, days: before.days + 1 };
    } else {
      ranges.push({ start_date: day, end_date: day, days: 1 });
    }
  }
  return ranges;
}

export const formatRange = ({ start_date, end_date }: DayRange): string =>
  start_date === end_date ? start_date : `${start_date} to ${end_date}`;

/** How far a day is when its blocks have come to a timestamp (seconds), 0 to 1. */
export const shareOfDay = (day: UtcDay, timestamp: number): number =>
  (timestamp - startOfDay(day)) / (startOfDay(addDays(day, 1)) - startOfDay(day));
