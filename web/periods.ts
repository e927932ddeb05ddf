import {
  addDays,
  countDays,
  endOfPeriod,
  HOURS_PER_DAY,
  type Interval,
  SECONDS_PER_HOUR,
  startOfDay,
  startOfPeriod,
  type UtcDay,
} from '../core/figures/calendar.ts';

/** Days from `start_date` to `end_date`, both included. */
export interface DateRange {
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
}

/** The time that a point sums up: an hour of a day, a day, or a period of days. */
export type Step = 'hour' | Interval;

/** Labels of the steps that the API offers. */
export const intervalLabels = {
  hour: 'Hourly',
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
  quarter: 'Quarterly',
  year: 'Yearly',
} as const satisfies Record<Step, string>;

export const isInterval = (text: string | null): text is Step =>
  text !== null && Object.hasOwn(intervalLabels, text);

/** Days of which the API gives hours at once. */
export const MAX_DAYS_OF_HOURS = 92;

/** Returns whether a range is short enough to be shown by the hour. */
export const hasHours = ({ start_date, end_date }: DateRange): boolean =>
  countDays(start_date, end_date) <= MAX_DAYS_OF_HOURS;

/** Returns the day of a date, which may be an hour such as `2026-11-21T13`. */
export const dayOfDate = (date: string): UtcDay => date.slice(0, 10);

/** Returns the time at which a date begins, in seconds since 1970. */
export const startOf = (date: string): number =>
  startOfDay(dayOfDate(date)) + Number(date.slice(11)) * SECONDS_PER_HOUR;

/** Returns the last day of the period that begins with a date; of an hour its day. */
export const endOf = (step: Step, date: string): UtcDay =>
  step === 'hour' ? dayOfDate(date) : endOfPeriod(step, date);

/** Returns the first day of the period that contains a date; of an hour its day. */
export const startOfStep = (step: Step, date: string): UtcDay =>
  step === 'hour' ? dayOfDate(date) : startOfPeriod(step, date);

/** Returns the steps that sum up complete days. */
export const daysStep = (step: Step): Interval => (step === 'hour' ? 'day' : step);

const HOURS: readonly string[] = Array.from(
  { length: HOURS_PER_DAY },
  (_, hour) => `T${String(hour).padStart(2, '0')}`,
);

/** Returns the dates of all steps from the one that contains `first` to the one that contains `last`. */
export function periodsBetween(first: UtcDay, last: UtcDay, step: Step): string[] {
  const starts: string[] = [];
  const from = startOfStep(step, first);
  for (let start = from; start <= last; start = addDays(endOf(step, start), 1))
    starts.push(...(step === 'hour' ? HOURS.map((hour) => start + hour) : [start]));
  return starts;
}

const monthName = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

/** Formats a date: `Tue 2026-11-10, 13:00`, `Tue 2026-11-10`, `week of 2026-11-09`, `Nov 2026`, `Q4 2026` or `2026`. */
export function periodLabel(start: string, interval: Step): string {
  const [year, month] = start.split('-');
  switch (interval) {
    case 'hour':
      return `${periodLabel(dayOfDate(start), 'day')}, ${start.slice(11)}:00`;
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
