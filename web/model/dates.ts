import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import {
  addDays,
  earlier,
  endOfPeriod,
  type Interval,
  later,
  startOfPeriod,
  type UtcDay,
} from '../../core/figures/calendar.ts';
import { type ChainDays, type ChainStatus, type DayRow, statusOf } from '../data/api-client.ts';
import { type ChainGaps, coverageOf } from './coverage.ts';
import {
  type DateRange,
  firstDayIn,
  hoursOf,
  inDays,
  lastDayIn,
  periodsBetween,
  type ShownInterval,
} from './periods.ts';
import type { View } from './view.ts';

/** Returns true if a period has days of the chain, and all of them are in a range. */
function isWithin(
  chain: ChainName,
  date: string,
  interval: ShownInterval,
  { start_date, end_date }: DateRange,
): boolean {
  const { firstDay } = chainOf(chain);
  const last = lastDayIn(date, interval);
  return later(firstDayIn(date), firstDay) >= start_date && last >= firstDay && last <= end_date;
}

/** Returns the loaded rows whose days are all in the range of a view. */
export const rowsWithin = (chain: ChainName, { rows }: ChainDays, view: View): readonly DayRow[] =>
  rows.filter(({ date }) => isWithin(chain, date, view.interval, view));

/** Returns the first day of which a figure is expected: that of the first period of which the service can have every day. */
export function firstExpected(
  chain: ChainName,
  status: ChainStatus | undefined,
  shown: ShownInterval,
): UtcDay {
  const interval = inDays(shown);
  const { firstDay } = chainOf(chain);
  const first = status?.firstFinalDay ?? firstDay;
  const start = startOfPeriod(interval, first);
  return later(start, firstDay) >= first ? first : addDays(endOfPeriod(interval, start), 1);
}

/**
 * Returns the date of each period on the time axis: those in the range of a view, from the service's first figure on.
 * @param statuses of the view's chains, where known
 */
export function datesOf(view: View, statuses: readonly ChainStatus[], today: UtcDay): string[] {
  const { chains, interval } = view;
  const firstOf = (chain: ChainName) => firstExpected(chain, statusOf(statuses, chain), interval);
  const first = chains.map(firstOf).toSorted()[0] ?? view.start_date;
  const last = earlier(view.end_date, addDays(today, -1));
  const starts = periodsBetween(later(view.start_date, first), last, inDays(interval)).filter((start) =>
    chains.some((chain) => isWithin(chain, start, interval, view)),
  );
  return interval === 'hour' ? starts.flatMap(hoursOf) : starts;
}

/**
 * Returns the days of a view without a figure, by their reason. Of a period that is cut off by the range, no day is expected.
 * @param days final days or periods in the range
 * @param drawn those of them, or their hours, that have the figure
 */
export function viewCoverage(
  { chain, days, drawn }: { chain: ChainName; days: ChainDays; drawn: readonly DayRow[] },
  view: View,
  status: ChainStatus | undefined,
  today: UtcDay,
): ChainGaps {
  const interval = inDays(view.interval);
  const covered = days.rows.map(({ date }) => ({ start_date: date, end_date: endOfPeriod(interval, date) }));
  const dates = new Set(drawn.map(({ date }) => firstDayIn(date)));
  const withoutFigure = covered.filter(({ start_date }) => !dates.has(start_date));
  const range = { start_date: view.start_date, end_date: earlier(view.end_date, addDays(today, -1)) };
  const whole = interval === 'day' ? range : wholePeriods(chain, range, interval);
  const last = days.dataThrough ?? status?.lastFinalDay;
  const first = status?.firstFinalDay ? firstExpected(chain, status, interval) : days.rows[0]?.date;
  return coverageOf(chain, whole, covered, {
    first,
    last,
    waiting: status?.waitingDays,
    withoutFigure,
    rangeEnd: range.end_date,
  });
}

/** Returns the part of a range that consists of whole periods of a chain; an empty range if there is none. */
function wholePeriods(chain: ChainName, range: DateRange, interval: Interval): DateRange {
  const starts = periodsBetween(range.start_date, range.end_date, interval).filter((start) =>
    isWithin(chain, start, interval, range),
  );
  const [first, last] = [starts[0], starts.at(-1)];
  if (!first || !last) return { start_date: addDays(range.end_date, 1), end_date: range.end_date };
  return { start_date: first, end_date: endOfPeriod(interval, last) };
}

/** Returns the range of the days from one date of the axis to another. */
export const rangeOfDates = (first: string, last: string, interval: ShownInterval): DateRange => ({
  start_date: startOfPeriod(inDays(interval), firstDayIn(first)),
  end_date: lastDayIn(last, interval),
});
