import { addDays, type UtcDay } from '../figures/calendar.ts';
import type { DayFigures } from '../figures/day-figures.ts';
import type { DayProgress } from '../figures/progress.ts';
import type { EraSums } from '../store/era-sums.ts';
import { type FilePart, lastHash, partsOf } from './complete-days.ts';
import { isSummed } from './sum-file.ts';

/** Days that lack blocks, or that neither hosts nor a final day confirm, with the reason. */
export interface MissingDays {
  readonly first: UtcDay;
  readonly last: UtcDay;
  readonly reason: string;
}

/** Files that one reason names. */
const MAX_FILES = 5;

/**
 * Finds the days before, between and after the canonical blocks of files that are not final yet, and the proven files with such days
 * that nothing confirms.
 * @param files in the order of their names
 * @param final days from the first day of the files to the day after their last
 * @param firstDay of the chain
 */
export function findMissingDays(
  files: readonly EraSums[],
  final: readonly DayFigures[],
  firstDay: UtcDay,
): { readonly missing: readonly MissingDays[]; readonly unconfirmed: readonly string[] } {
  const finalDays = new Set(final.map(({ day }) => day));
  const canonical = canonicalParts(partsOf(files), final);
  const hashes = new Set(canonical.map(({ part }) => lastHash(part)));
  const unused = files.filter(({ days }) => !hashes.has(lastHash(days.at(-1))));
  const missing = gapsBetween(canonical).flatMap(({ end, start, blocks }) => {
    const between = unused.filter(
      ({ name }) => (!end || name >= end.file.name) && (!start || name <= start.file.name),
    );
    const parts = [
      ...(end ? [end.part] : []),
      ...(start ? [start.part] : []),
      ...between.flatMap(({ days }) => days),
    ];
    const days = parts
      .map(({ day }) => day)
      .filter((day) => day >= firstDay)
      .toSorted();
    let [first = '', last = ''] = [days[0], days.at(-1)];
    while (finalDays.has(first)) first = addDays(first, 1);
    while (finalDays.has(last)) last = addDays(last, -1);
    return days.length > 0 && first <= last ? [{ first, last, reason: reasonOf(blocks, between) }] : [];
  });
  const isMissing = ({ day }: DayProgress) => day >= firstDay && !finalDays.has(day);
  const unconfirmed = unused.filter((file) => isSummed(file) && file.days.some(isMissing));
  return { missing, unconfirmed: unconfirmed.map(({ name }) => name) };
}

/**
 * Lists the parts whose blocks are all canonical, because hosts or a final day confirm their last block or a later one.
 * @param parts ascending
 */
function canonicalParts(parts: readonly FilePart[], final: readonly DayFigures[]): readonly FilePart[] {
  const hashes = new Set(final.flatMap(({ parentHash = '', last }) => [parentHash, last.hash]));
  const canonical: FilePart[] = [];
  for (const one of parts.toReversed()) {
    if (one.file.confirmedBy.length === 0 && !hashes.has(lastHash(one.part))) continue;
    hashes.add(one.part.parentHash);
    canonical.push(one);
  }
  return canonical;
}

/** Blocks that no canonical part has, with the parts before and after them. */
interface Gap {
  readonly end?: FilePart | undefined;
  readonly start?: FilePart;
  /** In words. */
  readonly blocks: string;
}

function gapsBetween(canonical: readonly FilePart[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let end: FilePart | undefined;
  let next = 0;
  const firstOf = ({ part }: FilePart) => part.first?.number ?? 0;
  for (const start of canonical.toSorted((a, b) => firstOf(a) - firstOf(b))) {
    if (firstOf(start) > next) gaps.push({ end, start, blocks: `${next} to ${firstOf(start) - 1}` });
    const { number = 0 } = start.part.last ?? {};
    if (number < next) continue;
    end = start;
    next = number + 1;
  }
  return [...gaps, { end, blocks: `from ${next} on` }];
}

function reasonOf(blocks: string, unused: readonly EraSums[]): string {
  const named = unused.slice(0, MAX_FILES).map((file) => `${file.name}: ${whyUnused(file)}`);
  const others = unused.length > MAX_FILES ? [`${unused.length - MAX_FILES} more files are not used`] : [];
  return [`no confirmed file has the blocks ${blocks}`, ...named, ...others].join('. ');
}

function whyUnused(file: EraSums): string {
  if (file.problem !== undefined) return file.problem;
  if (!isSummed(file)) return 'it is not read to its end';
  return 'its last hash is not confirmed, and no final day follows it';
}
