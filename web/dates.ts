import { type ChainName, chainOf } from '../core/chains/chains.ts';
import { addDays, earlier, later, type UtcDay } from '../core/figures/calendar.ts';
import { type ChainDays, type ChainStatus, type DayRow, statusOf } from './api-client.ts';
import { type ChainGaps, coverageOf } from './coverage.ts';
import {
  type DateRange,
  dayOfDate,
  daysStep,
  endOf,
  periodsBetween,
  type Step,
  startOfStep,
} from './periods.ts';
import type { View } from './view.ts';

/** Returns true if a period has days of the chain, and all of them are in a range. */
function isWithin(
  chain: ChainName,
  start: UtcDay,
  interval: Step,
  { start_date, end_date }: DateRange,
): boolean {
  const { firstDay } = chainOf(chain);
  const last = endOf(interval, start);
  return later(start, firstDay) >= start_date && last >= firstDay && last <= end_date;
}

/** Returns the loaded rows whose days are all in the range of a view. */
export const rowsWithin = (chain: ChainName, { rows }: ChainDays, view: View): readonly DayRow[] =>
  rows.filter(({ date }) => isWithin(chain, date, view.interval, view));

/** Returns the first day of which a figure is expected: that of the first period of which the service can have every day. */
export function firstExpected(chain: ChainName, status: ChainStatus | undefined, interval: Step): UtcDay {
  const { firstDay } = chainOf(chain);
  const first = status?.firstFinalDay ?? firstDay;
  const start = startOfStep(interval, first);
  return later(start, firstDay) >= first ? first : addDays(endOf(interval, start), 1);
}

/**
 * Returns the first day of each period on the time axis: those in the range of a view, from the service's first figure on.
 * @param statuses of the view's chains, where known
 */
export function datesOf(view: View, statuses: readonly ChainStatus[], today: UtcDay): UtcDay[] {
  const { chains, interval } = view;
  const firstOf = (chain: ChainName) => firstExpected(chain, statusOf(statuses, chain), interval);
  const first = chains.map(firstOf).toSorted()[0] ?? view.start_date;
  const last = earlier(view.end_date, addDays(today, -1));
  return periodsBetween(later(view.start_date, first), last, interval).filter((start) =>
    chains.some((chain) => isWithin(chain, start, interval, view)),
  );
}

/** Returns the days of a view without a figure, by their reason. Of a period that is cut off by the range, no day is expected. */
export function viewCoverage(
  chain: ChainName,
  days: ChainDays,
  view: View,
  status: ChainStatus | undefined,
  today: UtcDay,
): ChainGaps {
  const { interval } = view;
  const covered = days.rows.map(({ date }) => ({
    start_date: interval === 'hour' ? dayOfDate(date) : date,
    end_date: endOf(interval, date),
  }));
  const range = { start_date: view.start_date, end_date: earlier(view.end_date, addDays(today, -1)) };
  const whole = daysStep(interval) === 'day' ? range : wholePeriods(chain, range, interval);
  const last = days.dataThrough ?? status?.lastFinalDay;
  const first = status?.firstFinalDay ? firstExpected(chain, status, interval) : days.rows[0]?.date;
  return coverageOf(chain, whole, covered, { first, last, waiting: status?.waitingDays });
}

/** Returns the part of a range that consists of whole periods of a chain; an empty range if there is none. */
function wholePeriods(chain: ChainName, range: DateRange, interval: Step): DateRange {
  const starts = periodsBetween(range.start_date, range.end_date, interval).filter((start) =>
    isWithin(chain, start, interval, range),
  );
  const [first, last] = [starts[0], starts.at(-1)];
  if (!first || !last) return { start_date: addDays(range.end_date, 1), end_date: range.end_date };
  return { start_date: first, end_date: endOf(interval, last) };
}

/** Returns the range of the days from one date of the axis to another. */
export const rangeOfDates = (first: UtcDay, last: UtcDay, interval: Step): DateRange => ({
  start_date: startOfStep(interval, first),
  end_date: endOf(interval, last),
});
