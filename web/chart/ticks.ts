import { type TimeInterval, utcDay, utcHour, utcMonday, utcMonth, utcYear } from 'd3-time';
import { HOURS_PER_DAY, SECONDS_PER_DAY } from '../../core/figures/calendar.ts';

/** Keeps every nth period since 1970. Unlike `every` of days, it does not start over in each month. */
const everyNth = (period: typeof utcDay, step: number): TimeInterval =>
  period.filter((date) => period.count(new Date(0), date) % step === 0);

/** Periods that begin with a tick, with their number of days. */
const steps: readonly (readonly [days: number, period: TimeInterval | null])[] = [
  ...[1, 3, 6, 12].map((step) => [step / HOURS_PER_DAY, utcHour.every(step)] as const),
  [1, utcDay],
  [2, everyNth(utcDay, 2)],
  [7, utcMonday],
  [14, everyNth(utcMonday, 2)],
  ...[1, 2, 3, 6].map((step) => [step * 30, utcMonth.every(step)] as const),
  ...[1, 2, 5].map((step) => [step * 365, utcYear.every(step)] as const),
];

const month = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

/** Returns at most `max` ticks, at least `periodDays` apart, on natural dates between two seconds since 1970: hours, days, Mondays, months, years. */
export function timeTicks(first: number, last: number, max: number, periodDays = 1) {
  const days = (last - first) / SECONDS_PER_DAY;
  const fits = ([length]: (typeof steps)[number]) => length >= periodDays && days / length <= max;
  const [length, period] = steps.find(fits) ?? steps.at(-1) ?? [1, utcDay];
  const dates = period?.range(new Date(first * 1_000), new Date(last * 1_000 + 1)) ?? [];
  return dates.map((date, index) => ({
    seconds: date.getTime() / 1_000,
    label: labelOf(date, length, index === 0),
  }));
}

/** Formats a tick. Midnight has the day; the first month and each January have the year. */
function labelOf(date: Date, length: number, isFirst: boolean): string {
  if (length < 1 && date.getUTCHours() > 0) return `${date.getUTCHours()}:00`;
  const year = String(date.getUTCFullYear());
  if (length < 30) return `${date.getUTCDate()} ${month.format(date)}`;
  if (length >= 365 || date.getUTCMonth() === 0) return year;
  return isFirst ? `${month.format(date)} ${year}` : month.format(date);
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const scientific = new Intl.NumberFormat('en', { notation: 'scientific', maximumSignificantDigits: 3 });

/** Formats the ticks of the value axis, all in one form: the axis has no room for many zeros. */
export function formatTicks(values: readonly number[]): readonly string[] {
  const isSmall = values.some((value) => value > 0 && value < 0.0001);
  const isLarge = values.some((value) => value >= 10_000);
  const { format } = isSmall ? scientific : isLarge ? compact : plain;
  return values.map((value) => (value === 0 ? '0' : format(value)));
}
