import {
  addDays,
  endOfPeriod,
  HOURS_PER_DAY,
  type Interval,
  startOfPeriod,
  type UtcDay,
} from '../../core/figures/calendar.ts';

export interface DateRange {
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
}

/** Labels of the periods that the API has rows of: hours, days, and those that it sums days to. */
export const intervalLabels = {
  hour: 'Hourly',
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
  quarter: 'Quarterly',
  year: 'Yearly',
} as const satisfies Record<Interval | 'hour', string>;
export type ShownInterval = keyof typeof intervalLabels;

/** Returns the shortest period of complete days that contains each of some periods. */
export const inDays = (interval: ShownInterval): Interval => (interval === 'hour' ? 'day' : interval);

/** Returns the day of an hour such as `2026-11-21T13`, and the first day of any other period. */
export const firstDayIn = (date: string): UtcDay => date.slice(0, 'YYYY-MM-DD'.length);

export const lastDayIn = (date: string, interval: ShownInterval): UtcDay =>
  endOfPeriod(inDays(interval), firstDayIn(date));

/** Returns the first second of a period, since 1970. */
export const startOf = (date: string): number =>
  Date.parse(date === firstDayIn(date) ? date : `${date}:00Z`) / 1_000;

export const hoursOf = (day: UtcDay): string[] =>
  Array.from({ length: HOURS_PER_DAY }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}`);

/** Returns the first days of all periods from the one that contains `first` to the one that contains `last`. */
export function periodsBetween(first: UtcDay, last: UtcDay, interval: Interval): UtcDay[] {
  const starts: UtcDay[] = [];
  let start = startOfPeriod(interval, first);
  for (; start <= last; start = addDays(endOfPeriod(interval, start), 1)) starts.push(start);
  return starts;
}

const monthName = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

/** Formats a period by its date: `2026-11-10 13:00 UTC`, `Tue 2026-11-10`, `week of 2026-11-09`, `Nov 2026`, `Q4 2026` or `2026`. */
export function periodLabel(start: string, interval: ShownInterval): string {
  const [year, month] = start.split('-');
  switch (interval) {
    case 'hour':
      return `${start.replace('T', ' ')}:00 UTC`;
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

export const rangeOfDates = (first: string, last: string, interval: ShownInterval): DateRange => ({
  start_date: startOfPeriod(inDays(interval), firstDayIn(first)),
  end_date: lastDayIn(last, interval),
});
