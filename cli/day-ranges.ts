import { addDays, countDays, dayOf, startOfDay, type UtcDay } from '../core/figures/calendar.ts';

/** Contiguous days, from `start_date` to `end_date` inclusive. */
export interface CountedRange {
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  readonly days: number;
}

export const yesterday = (): UtcDay => addDays(dayOf(Date.now() / 1_000), -1);

/** Returns the days from `first` to `last`, inclusive, that `days` lacks. */
export function missingDays(first: UtcDay, last: UtcDay, days: Iterable<UtcDay>): UtcDay[] {
  const known = new Set(days);
  return daysBetween(first, last).filter((day) => !known.has(day));
}

/** Returns every day from `first` to `last`, inclusive. */
export const daysBetween = (first: UtcDay, last: UtcDay): UtcDay[] =>
  Array.from({ length: countDays(first, last) }, (_, index) => addDays(first, index));

/** Groups contiguous days into ranges. @param days ascending */
export function groupIntoRanges(days: readonly UtcDay[]): CountedRange[] {
  const ranges: CountedRange[] = [];
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

export const formatRange = ({ start_date, end_date }: Omit<CountedRange, 'days'>): string =>
  start_date === end_date ? start_date : `${start_date} to ${end_date}`;

/** Returns the share of a day, 0 to 1, that has passed at a block's timestamp (seconds). */
export const shareOfDay = (day: UtcDay, timestamp: number): number =>
  (timestamp - startOfDay(day)) / (startOfDay(addDays(day, 1)) - startOfDay(day));
