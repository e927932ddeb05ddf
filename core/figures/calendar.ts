/** A UTC calendar day, `YYYY-MM-DD`. Days compare and sort as strings. A block belongs to the day of its timestamp. */
export type UtcDay = string;

export const SECONDS_PER_DAY = 86_400;
export const SECONDS_PER_HOUR = 3_600;
export const HOURS_PER_DAY = 24;

/** Days of a query for hours. Their rows with everything fit into a response. */
export const MAX_DAYS_OF_HOURS = 92;

/** The last second of the year 9999, in seconds since 1970. Later days do not fit `YYYY-MM-DD`. */
export const LAST_SECOND = 253_402_300_799;

/** Returns the day of a timestamp in seconds. */
export const dayOf = (timestamp: number): UtcDay => new Date(timestamp * 1000).toISOString().slice(0, 10);

/** Returns the timestamp of a day's first midnight, in seconds. */
export const startOfDay = (day: UtcDay): number => Date.parse(`${day}T00:00:00Z`) / 1000;

/** Returns the day `count` days after `day`, or before it when `count` is negative. */
export const addDays = (day: UtcDay, count: number): UtcDay =>
  dayOf(startOfDay(day) + count * SECONDS_PER_DAY);

/** Counts the days from `first` to `last`, both included; 0 when `last` is before `first`. */
export const countDays = (first: UtcDay, last: UtcDay): number =>
  Math.max(0, (startOfDay(last) - startOfDay(first)) / SECONDS_PER_DAY + 1);

export const earlier = (a: UtcDay, b: UtcDay): UtcDay => (a < b ? a : b);
export const later = (a: UtcDay, b: UtcDay): UtcDay => (a > b ? a : b);

/** A day that is over, counted back from today, such as `30-days-ago`. */
export const DAYS_AGO = /^([1-9]\d{0,4})-days?-ago$/;

/** Resolves `yesterday`, or a day that matches `DAYS_AGO`. Returns undefined for any other text. */
export function resolveRelativeDay(text: string, yesterday: UtcDay): UtcDay | undefined {
  if (text === 'yesterday') return yesterday;
  const [, count] = DAYS_AGO.exec(text) ?? [];
  return count === undefined ? undefined : addDays(yesterday, 1 - Number(count));
}

/** The lengths of a period that rows can be summed over. Weeks are ISO weeks, which begin on Monday. */
export const intervals = ['day', 'week', 'month', 'quarter', 'year'] as const;

export type Interval = (typeof intervals)[number];

const DAYS_PER_WEEK = 7;
const MONTHS_PER_QUARTER = 3;
const maxDays = { day: 1, week: DAYS_PER_WEEK, month: 31, quarter: 92, year: 366 } as const;

const starts: Readonly<Record<Interval, (day: UtcDay) => UtcDay>> = {
  day: (day) => day,
  week: (day) => addDays(day, -((new Date(day).getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK)),
  month: (day) => `${day.slice(0, 7)}-01`,
  quarter: (day) => {
    const month = Number(day.slice(5, 7)) - 1;
    const first = month - (month % MONTHS_PER_QUARTER) + 1;
    return `${day.slice(0, 4)}-${String(first).padStart(2, '0')}-01`;
  },
  year: (day) => `${day.slice(0, 4)}-01-01`,
};

/** Returns the first day of the period that contains a day. */
export const startOfPeriod = (interval: Interval, day: UtcDay): UtcDay => starts[interval](day);

/** Returns the last day of the period that begins with a day. */
export const endOfPeriod = (interval: Interval, start: UtcDay): UtcDay =>
  addDays(startOfPeriod(interval, addDays(start, maxDays[interval])), -1);
