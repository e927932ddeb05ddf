import { addDays, countDays, earlier, type UtcDay } from '../../figures/calendar.ts';
import type { DayRange } from '../../figures/complete-periods.ts';
import type { Evidence } from '../../figures/day-figures.ts';

/*
 * Which days of a chain are stored, and with which evidence: a letter for each day, which is short enough for one small item. Days that
 * are missing between them are a dot.
 */

/** The letter of each kind of evidence. It is upper-case if the day may inherit better evidence of finality from the day after it. */
const LETTERS = { proven: 'p', checked: 'c', archived: 'a' } as const satisfies Record<Evidence, string>;
const MISSING = '.';

/** The stored days of a chain, from `first` on. */
export interface CoveredDays {
  /** Absent if no day is stored. */
  readonly first?: UtcDay | undefined;
  /** One letter a day; the last one is of a stored day. */
  readonly letters: string;
}

export const NO_DAYS: CoveredDays = { letters: '' };

/** One day that is stored. */
export interface CoveredDay {
  readonly day: UtcDay;
  readonly evidence: Evidence;
  readonly isHeir: boolean;
}

/** Returns the days with some of them added or replaced. */
export function withDays(covered: CoveredDays, days: readonly CoveredDay[]): CoveredDays {
  const [begin = covered.first, ...others] = [
    ...days.map(({ day }) => day),
    ...(covered.first ? [covered.first] : []),
  ];
  if (begin === undefined) return covered;
  const first = others.reduce((one, other) => earlier(one, other), begin);
  const offsetOf = (day: UtcDay) => countDays(first, day) - 1;
  const letters = covered.first ? [...MISSING.repeat(offsetOf(covered.first)), ...covered.letters] : [];
  for (const { day, evidence, isHeir } of days) {
    const letter = LETTERS[evidence];
    while (letters.length <= offsetOf(day)) letters.push(MISSING);
    letters[offsetOf(day)] = isHeir ? letter.toUpperCase() : letter;
  }
  return { first, letters: letters.join('') };
}

const letterOf = ({ first, letters }: CoveredDays, day: UtcDay): string =>
  (first !== undefined && day >= first && letters[countDays(first, day) - 1]) || MISSING;

/** Returns the last day of those that are stored without a gap from `from` on; the day before `from` if that is missing. */
export function lastWithoutGap(covered: CoveredDays, from: UtcDay): UtcDay {
  let last = addDays(from, -1);
  while (letterOf(covered, addDays(last, 1)) !== MISSING) last = addDays(last, 1);
  return last;
}

/** Returns the last stored day. */
export const lastDayOf = ({ first, letters }: CoveredDays): UtcDay | undefined =>
  first && addDays(first, letters.length - 1);

/** Counts the days with one kind of evidence, with the first and the last of them; undefined if there are none. */
export function daysWith(
  { first, letters }: CoveredDays,
  evidence: Evidence,
): (DayRange & { readonly days: number }) | undefined {
  const letter = LETTERS[evidence];
  const isOfKind = (one: string) => one.toLowerCase() === letter;
  const kinds = [...letters];
  const [begin, end] = [kinds.findIndex(isOfKind), kinds.findLastIndex(isOfKind)];
  if (first === undefined || begin < 0) return undefined;
  return { days: kinds.filter(isOfKind).length, first: addDays(first, begin), last: addDays(first, end) };
}

/** Lists the days that may inherit better evidence of finality, the latest first. */
export function heirsIn({ first, letters }: CoveredDays): UtcDay[] {
  const heirs = [...letters].flatMap((letter, index) =>
    first !== undefined && letter !== letter.toLowerCase() ? addDays(first, index) : [],
  );
  return heirs.reverse();
}

/** Returns the text that is stored, such as `2026-01-01 p320.c2`: each letter with the number of days in a row that have it. */
export const toText = ({ first, letters }: CoveredDays): string =>
  first === undefined
    ? ''
    : `${first} ${letters.replaceAll(/(.)\1+/g, (run, letter) => `${letter}${run.length}`)}`;

const TEXT = /^\d{4}-\d\d-\d\d (?:[pcaPC.]\d*)+$/;

/** Reads such a text. @returns undefined if it is not one */
export function fromText(text: string): CoveredDays | undefined {
  if (text === '') return NO_DAYS;
  if (!TEXT.test(text)) return undefined;
  const [first = '', runs = ''] = text.split(' ');
  return {
    first,
    letters: runs.replaceAll(/(\D)(\d+)/g, (_, letter, count) => letter.repeat(Number(count))),
  };
}
