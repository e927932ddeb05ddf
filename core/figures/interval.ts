import { addDays, startOfDay, type UtcDay } from './utc-day.ts';

/** The lengths of a period that rows can be summed over. Weeks are ISO weeks, which begin on Monday. */
export const intervals = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof intervals)[number];

const DAYS_PER_WEEK = 7;
const MONTHS_PER_QUARTER = 3;

/** The highest number of days in a period. */
const maxDays = { day: 1, week: DAYS_PER_WEEK, month: 31, quarter: 92, year: 366 } as const;

/** Returns the first day of the period that contains a day. */
export function startOfPeriod(interval: Interval, day: UtcDay): UtcDay {
  const year = day.slice(0, 4);
  switch (interval) {
    case 'day':
      return day;
    case 'week':
      return addDays(day, -daysSinceMonday(day));
    case 'month':
      return `${day.slice(0, 7)}-01`;
    case 'quarter': {
      const month = Number(day.slice(5, 7)) - 1;
      const first = month - (month % MONTHS_PER_QUARTER) + 1;
      return `${year}-${String(first).padStart(2, '0')}-01`;
    }
    case 'year':
      return `${year}-01-01`;
  }
}

/** Returns the last day of the period that begins with a day. */
export const endOfPeriod = (interval: Interval, start: UtcDay): UtcDay =>
  addDays(startOfPeriod(interval, addDays(start, maxDays[interval])), -1);

const daysSinceMonday = (day: UtcDay): number =>
  (new Date(startOfDay(day) * 1_000).getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK;
