import { addDays, earlier, later, type UtcDay } from '../chains/utc-day.ts';
import type { Coverage } from '../store/coverage.ts';
import { CSV_TYPE, JSON_TYPE, type MediaType, type Row, type Written, write } from './formats.ts';

/** Days from `first` to `last`, both included. */
export interface DayRange {
  readonly first: UtcDay;
  readonly last: UtcDay;
}

/** What is known of a chain's final days: all of those in a range, written already. */
export interface History {
  /** Of the coverage that it is as new as. */
  readonly revision: number;
  /** Undefined while nothing is known. */
  readonly range: DayRange | undefined;
  /** Ascending. */
  readonly rows: readonly Row[];
  readonly written: Readonly<Record<MediaType, Written>>;
}

export const historyOf = (
  field: string,
  revision: number,
  range: DayRange | undefined,
  rows: readonly Row[],
): History => ({
  revision,
  range,
  rows,
  written: { [JSON_TYPE]: write(JSON_TYPE, field, rows), [CSV_TYPE]: write(CSV_TYPE, field, rows) },
});

/** More reads than this are not worth their number: then one is made of all that lies between them. */
const MOST_READS = 8;

/**
 * Which of the known days are to be read again: final days that were changed since, as the coverage says, and those that
 * were missing, for any of them may be final now.
 * @returns undefined when the coverage does not reach back so far that it could tell
 */
export function outdated({ revision, range, rows }: History, coverage: Coverage): DayRange[] | undefined {
  if (coverage.revision < revision || coverage.changesSince > revision) return undefined;
  if (!range || coverage.revision === revision) return [];
  const changed = coverage.changes.filter((change) => change.revision > revision && isIn(range, change.day));
  const ranges = [...changed.map(({ day }) => ({ first: day, last: day })), ...holesOf(range, rows)];
  return ranges.length > MOST_READS ? [range] : ranges;
}

/** Which days are still to be read so that the known and the wanted ones are known, and all that lies between them. */
export function unknown(known: DayRange | undefined, wanted: DayRange): DayRange[] {
  if (!known) return [wanted];
  const isBefore = wanted.first < known.first;
  const isAfter = wanted.last > known.last;
  return [
    ...(isBefore ? [{ first: wanted.first, last: addDays(known.first, -1) }] : []),
    ...(isAfter ? [{ first: addDays(known.last, 1), last: wanted.last }] : []),
  ];
}

/** The smallest range that holds both. */
export const around = (known: DayRange | undefined, { first, last }: DayRange): DayRange => ({
  first: earlier(known?.first ?? first, first),
  last: later(known?.last ?? last, last),
});

/** Rows with those of some ranges put in the place of what was there. */
export function replaceRows(
  rows: readonly Row[],
  read: readonly (readonly [DayRange, readonly Row[]])[],
): readonly Row[] {
  const kept = rows.filter(([day]) => !read.some(([range]) => isIn(range, day)));
  // By day, since a day that was changed may lie in what was missing too.
  const byDay = new Map([...kept, ...read.flatMap(([, found]) => found)]);
  return [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const isIn = ({ first, last }: DayRange, day: UtcDay): boolean => first <= day && day <= last;

/** The stretches of a range without a row. */
export function holesOf({ first, last }: DayRange, rows: readonly Row[]): DayRange[] {
  const holes: DayRange[] = [];
  let next = first;
  for (const day of [...rows.map(([each]) => each), addDays(last, 1)]) {
    if (day > next) holes.push({ first: next, last: addDays(day, -1) });
    next = addDays(day, 1);
  }
  return holes;
}

/** Where the rows of a range begin, and where those after it do. */
export const indexesOf = (rows: readonly Row[], { first, last }: DayRange): [begin: number, end: number] => [
  countWhile(rows, (day) => day < first),
  countWhile(rows, (day) => day <= last),
];

/** How many of the first rows are of such days; all days before one that is are so too. */
function countWhile(rows: readonly Row[], isBefore: (day: UtcDay) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(rows[middle]?.[0] ?? '')) low = middle + 1;
    else high = middle;
  }
  return low;
}
