import {
  addDays,
  endOfPeriod,
  type Interval,
  intervals,
  startOfPeriod,
  type UtcDay,
} from '../core/figures/calendar.ts';

/** Days from `start_date` to `end_date`, both included. */
export interface DateRange {
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
}

/** Labels of the periods that the API sums days to. */
export const intervalLabels = {
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
  quarter: 'Quarterly',
  year: 'Yearly',
} as const satisfies Record<Interval, string>;

export const isInterval = (text: string | null): text is Interval =>
  intervals.some((interval) => interval === text);

/** Returns the first days of all periods from the one that contains `first` to the one that contains `last`. */
export function periodsBetween(first: UtcDay, last: UtcDay, interval: Interval): UtcDay[] {
  const starts: UtcDay[] = [];
  for (
    let start = startOfPeriod(interval, first);
    start <= last;
    start = addDays(endOfPeriod(interval, start), 1)
  )
    starts.push(start);
  return starts;
}

const monthName = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

/** Formats a period by its first day: `Tue 2026-11-10`, `week of 2026-11-09`, `Nov 2026`, `Q4 2026` or `2026`. */
export function periodLabel(start: UtcDay, interval: Interval): string {
  const [year, month] = start.split('-');
  switch (interval) {
    case 'day':
      return `${weekday.format(new Date(start))} ${start}`;
    case 'week':
      return `week of ${start}`;
    case 'month':
      return monthName.format(new Date(start));
    case 'quarter':
      return `Q${Math.ceil(Number(month) / 3)} ${year}`;
    case 'year':
      return `${year}`;
  }
}
