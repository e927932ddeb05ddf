import { addDays, earlier, later, type UtcDay } from '../chains/utc-day.ts';
import type { Coverage } from '../store/coverage.ts';
import {
  CSV_TYPE,
  type DayValue,
  JSON_TYPE,
  type MediaType,
  type SerializedRows,
  serializeRows,
} from './formats.ts';

/** Days from `first` to `last`, both included. */
export interface DayRange {
  readonly first: UtcDay;
  readonly last: UtcDay;
}

/** All final days of a chain within a range, serialized in every format. */
export interface CachedDays {
  /** Revision of the coverage that these days are as current as. */
  readonly revision: number;
  /** Undefined while nothing is cached. */
  readonly range: DayRange | undefined;
  /** Ascending. */
  readonly rows: readonly DayValue[];
  readonly serialized: Readonly<Record<MediaType, SerializedRows>>;
}

export const toCachedDays = (
  field: string,
  revision: number,
  range: DayRange | undefined,
  rows: readonly DayValue[],
): CachedDays => ({
  revision,
  range,
  rows,
  serialized: {
    [JSON_TYPE]: serializeRows(JSON_TYPE, field, rows),
    [CSV_TYPE]: serializeRows(CSV_TYPE, field, rows),
  },
});

/** Above this number of reads, one read of the whole range is cheaper. */
const MAX_READS = 8;

/**
 * Returns the cached ranges to read again: days that the coverage lists as restated since, and days that were missing,
 * which may be final by now.
 * @returns undefined when the coverage's list of changes does not reach back to the cached revision
 */
export function staleRanges(
  { revision, range, rows }: CachedDays,
  coverage: Coverage,
): DayRange[] | undefined {
  if (coverage.revision < revision || coverage.changesSince > revision) return undefined;
  if (!range || coverage.revision === revision) return [];
  const changed = coverage.changes.filter((change) => change.revision > revision && isIn(range, change.day));
  const ranges = [...changed.map(({ day }) => ({ first: day, last: day })), ...missingRanges(range, rows)];
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

/** Returns the rows, with those of each range replaced by the rows that were read for it. */
export function replaceRows(
  rows: readonly DayValue[],
  read: readonly (readonly [DayRange, readonly DayValue[]])[],
): readonly DayValue[] {
  const kept = rows.filter(([day]) => !read.some(([range]) => isIn(range, day)));
  // The map drops duplicates: a restated day may also lie in a range that was missing.
  const byDay = new Map([...kept, ...read.flatMap(([, found]) => found)]);
  return [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const isIn = ({ first, last }: DayRange, day: UtcDay): boolean => first <= day && day <= last;

/** Returns the contiguous stretches of a range that have no row. */
export function missingRanges({ first, last }: DayRange, rows: readonly DayValue[]): DayRange[] {
  const ranges: DayRange[] = [];
  let next = first;
  for (const day of [...rows.map(([each]) => each), addDays(last, 1)]) {
    if (day > next) ranges.push({ first: next, last: addDays(day, -1) });
    next = addDays(day, 1);
  }
  return ranges;
}

/** Returns the index of the first row of a range, and that of the first row after it. */
export const rowBounds = (
  rows: readonly DayValue[],
  { first, last }: DayRange,
): [begin: number, end: number] => [
  partitionPoint(rows, (day) => day < first),
  partitionPoint(rows, (day) => day <= last),
];

/** Returns the number of leading rows whose day is before a limit, by binary search. */
function partitionPoint(rows: readonly DayValue[], isBefore: (day: UtcDay) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(rows[middle]?.[0] ?? '')) low = middle + 1;
    else high = middle;
  }
  return low;
}
