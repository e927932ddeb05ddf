import { addDays, startOfDay, type UtcDay } from '../lambda/chains/utc-day.ts';

/** Days from `start_date` to `end_date`, both included. */
export interface Range {
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
}

/** Labels of the periods that the API sums days to. */
export const intervals = {
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
  quarter: 'Quarterly',
  year: 'Yearly',
} as const;
export type Interval = keyof typeof intervals;

export const isInterval = (text: string | null): text is Interval =>
  text !== null && Object.hasOwn(intervals, text);

/** Months in each period that consists of whole months. */
const months: Partial<Record<Interval, number>> = { month: 1, quarter: 3, year: 12 };

/** Returns the first day of the period that contains a day. Weeks are ISO weeks, which start on Mondays. */
export function startOfPeriod(day: UtcDay, interval: Interval): UtcDay {
  if (interval === 'day') return day;
  const date = new Date(startOfDay(day) * 1_000);
  if (interval === 'week') return addDays(day, -((date.getUTCDay() + 6) % 7));
  const length = months[interval] ?? 1;
  const month = date.getUTCMonth();
  return `${day.slice(0, 4)}-${String(month - (month % length) + 1).padStart(2, '0')}-01`;
}

/** Returns the last day of the period that starts on a day. */
export function endOfPeriod(start: UtcDay, interval: Interval): UtcDay {
  if (interval === 'day') return start;
  if (interval === 'week') return addDays(start, 6);
  const length = months[interval] ?? 1;
  // No three months are longer than 92 days, and the start of any later period is a month's first day.
  return addDays(startOfPeriod(addDays(start, length * 31), 'month'), -1);
}

/** Returns the first days of all periods from the one that contains `first` to the one that contains `last`. */
export function periodsBetween(first: UtcDay, last: UtcDay, interval: Interval): UtcDay[] {
  const starts: UtcDay[] = [];
  for (
    let start = startOfPeriod(first, interval);
    start <= last;
    start = addDays(endOfPeriod(start, interval), 1)
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
