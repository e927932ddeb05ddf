import { countDays, endOfPeriod, type Interval, later, startOfPeriod, type UtcDay } from './calendar.ts';

/** Days from `first` to `last`, both included. */
export interface DayRange {
  readonly first: UtcDay;
  readonly last: UtcDay;
}

/** A complete period: every day from `first` to `last` is final. */
export interface Period<Day> extends DayRange {
  /** First day of the period. It is before `first` if the chain began within the period. */
  readonly date: UtcDay;
  readonly days: readonly Day[];
}

/** Returns the complete periods, ascending. @param days unique and ascending, none before the chain's first */
export function completePeriods<Day extends { readonly date: UtcDay }>(
  days: readonly Day[],
  interval: Interval,
  firstDay: UtcDay,
): Period<Day>[] {
  const byStart = Map.groupBy(days, ({ date }) => startOfPeriod(interval, date));
  return [...byStart].flatMap(([date, days]) => {
    const [first, last] = [later(date, firstDay), endOfPeriod(interval, date)];
    return days.length === countDays(first, last) ? [{ date, first, last, days }] : [];
  });
}

/** Returns the index of the first period that a range contains, and that of the first after it. */
export function periodBounds(
  periods: readonly DayRange[],
  { first, last }: DayRange,
): readonly [number, number] {
  const begin = periods.findIndex((period) => period.first >= first);
  const end = periods.findLastIndex((period) => period.last <= last) + 1;
  return [begin === -1 ? periods.length : begin, end] as const;
}
