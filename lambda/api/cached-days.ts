import type { Chain } from '../../core/chains/chains.ts';
import { addDays, earlier, later, type UtcDay } from '../../core/figures/calendar.ts';
import { completePeriods, type DayRange, type Period } from '../../core/figures/complete-periods.ts';
import type { Coverage } from '../../core/store/chain/coverage.ts';
import { type Dated, type MediaType, type SerializedRows, serializeRows } from './formats.ts';
import type { QueryInterval } from './query.ts';
import type { Series } from './series/series.ts';

/** All final days of a chain within a range, with their rows as the API returns them. */
export interface CachedDays<Day extends Dated = Dated> {
  /** The last coverage for which days were read. */
  readonly coverage: Coverage | undefined;
  /** The revision up to which these days are current. */
  readonly revision: number;
  /** Undefined while nothing is cached. */
  readonly range: DayRange | undefined;
  /** Ascending. */
  readonly days: readonly Day[];
  /** A range of one day for each of the days. */
  readonly dayRanges: readonly DayRange[];
  /** Returns the rows of an interval in a format. They are serialized once, at the first request. */
  readonly rowsOf: (interval: QueryInterval, type: MediaType) => CachedRows;
}

interface CachedRows extends SerializedRows {
  /** The days of each row: it is served only if a range contains all of them. */
  readonly ranges: readonly DayRange[];
}

export function toCachedDays<Day extends Dated, Row extends Dated>(
  series: Series<Day, Row>,
  { firstDay }: Pick<Chain, 'firstDay'>,
  cached: Pick<CachedDays<Day>, 'coverage' | 'revision' | 'range' | 'days'>,
): CachedDays<Day> {
  const dayRanges = cached.days.map(({ date }) => ({ first: date, last: date }));
  const serialize = (interval: QueryInterval, type: MediaType): CachedRows => {
    const periods: readonly Period<Day>[] =
      interval === 'day' || interval === 'hour'
        ? cached.days.map((day) => ({ date: day.date, first: day.date, last: day.date, days: [day] }))
        : completePeriods(cached.days, interval, firstDay);
    const rows = periods.map(({ date, days }) => series.rowsOf(date, days));
    const ranges = periods.flatMap((period, index) => (rows[index] ?? []).map(() => period));
    return { ranges, ...serializeRows(type, series.columns, rows.flat()) };
  };
  const serialized = new Map<string, CachedRows>();
  return {
    ...cached,
    dayRanges,
    rowsOf: (interval, type) => {
      const key = `${interval} ${type}`;
      const rows = serialized.get(key) ?? serialize(interval, type);
      serialized.set(key, rows);
      return rows;
    },
  };
}

/** Above this number of reads, one read of the whole range is cheaper. */
const MAX_READS = 8;

/** Returns the cached ranges to read again: restated days, and missing ones; undefined if the coverage's list of changes is too short. */
export function staleRanges({ revision, range, days }: CachedDays, coverage: Coverage) {
  if (coverage.revision < revision || coverage.changes_since > revision) return undefined;
  if (!range || coverage.revision === revision) return [];
  const changed = coverage.changes.filter((change) => change.revision > revision && isIn(range, change.day));
  const ranges = [...changed.map(({ day }) => ({ first: day, last: day })), ...missingRanges(range, days)];
  return ranges.length > MAX_READS ? [range] : ranges;
}

/** Returns the ranges that extend the cached range to the wanted one without a gap. */
export function uncachedRanges(cached: DayRange | undefined, wanted: DayRange): DayRange[] {
  if (!cached) return [wanted];
  return [
    ...(wanted.first < cached.first ? [{ first: wanted.first, last: addDays(cached.first, -1) }] : []),
    ...(wanted.last > cached.last ? [{ first: addDays(cached.last, 1), last: wanted.last }] : []),
  ];
}

/** Returns the smallest range that contains both. */
export const enclosingRange = (cached: DayRange | undefined, { first, last }: DayRange): DayRange => ({
  first: earlier(cached?.first ?? first, first),
  last: later(cached?.last ?? last, last),
});

/** Returns the days, with those of each range replaced by the days that were read for it. */
export function replaceDays<Day extends Dated>(
  days: readonly Day[],
  read: readonly (readonly [DayRange, readonly Day[]])[],
): readonly Day[] {
  const kept = days.filter(({ date }) => !read.some(([range]) => isIn(range, date)));
  // The map drops duplicates: a restated day may also lie in a range that was missing.
  const byDate = new Map([...kept, ...read.flatMap(([, found]) => found)].map((day) => [day.date, day]));
  return [...byDate.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

const isIn = ({ first, last }: DayRange, day: UtcDay): boolean => first <= day && day <= last;

/** Returns the contiguous stretches of a range that have no day. */
function missingRanges({ first, last }: DayRange, days: readonly Dated[]): DayRange[] {
  const ranges: DayRange[] = [];
  let next = first;
  for (const date of [...days.map((day) => day.date), addDays(last, 1)]) {
    if (date > next) ranges.push({ first: next, last: addDays(date, -1) });
    next = addDays(date, 1);
  }
  return ranges;
}
