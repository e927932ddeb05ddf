import { addDays, type UtcDay } from '../figures/calendar.ts';
import { joinDollars } from '../figures/dollars.ts';
import { sumFeeCounts } from '../figures/fee-buckets.ts';
import { reportedBy } from '../figures/finality.ts';
import { type DayProgress, startDayProgress } from '../figures/progress.ts';
import { addTotals, NO_TOTALS } from '../figures/totals.ts';
import type { CompleteDay } from '../ingest/days/publish-day.ts';
import type { EraSums } from '../store/era-sums.ts';
import { isSummed } from './sum-file.ts';

/*
 * Days are followed back from a canonical block, from parent to parent. Only hashes link the blocks of files, so a file of another chain,
 * or one that overlaps others, changes no day.
 */

/** The blocks of one day in one file. */
export interface FilePart {
  readonly file: EraSums;
  readonly part: DayProgress;
}

/** The last block of a day, or of a file within a day. */
interface End {
  /** Blocks of the day that end with it, in one file. */
  readonly part: DayProgress;
  /** All blocks of the day up to it; absent when no file has the first of them. */
  readonly whole: DayProgress | undefined;
}

/** The ends of days and files, by the hash of their block. */
export type Ends = ReadonlyMap<string, End>;

export const lastHash = (part: DayProgress | undefined): string => part?.last?.hash ?? '';

/** Lists the parts of files that are summed to their end, ascending. */
export const partsOf = (files: readonly EraSums[]): readonly FilePart[] =>
  files
    .filter(isSummed)
    .flatMap((file) => file.days.map((part) => ({ file, part })))
    .toSorted((a, b) => (a.part.last?.number ?? 0) - (b.part.last?.number ?? 0));

/**
 * Joins the blocks of days that span several files.
 * @param parts ascending
 */
export function endsOf(parts: readonly FilePart[]): Ends {
  const ends = new Map<string, End>();
  for (const { part } of parts) {
    const before = ends.get(part.parentHash);
    const isStart = part.first?.number === 0 || (before !== undefined && before.part.day !== part.day);
    const whole = isStart ? part : before?.whole && joined(before.whole, part);
    // Another file may have the same block.
    if (!ends.get(lastHash(part))?.whole) ends.set(lastHash(part), { part, whole });
  }
  return ends;
}

const joined = (a: DayProgress, b: DayProgress): DayProgress => ({
  ...b,
  parentHash: a.parentHash,
  first: a.first,
  totals: addTotals(a.totals, b.totals),
  hours: a.hours.map((hour, index) => addTotals(hour, b.hours[index] ?? NO_TOTALS)),
  feeCounts: sumFeeCounts([a.feeCounts, b.feeCounts]),
  dollars: a.dollars && b.dollars && joinDollars(a.dollars, b.dollars),
  provenBlocks: a.provenBlocks + b.provenBlocks,
  hosts: [...new Set([...a.hosts, ...b.hosts])].toSorted(),
  priceToCompare: b.priceToCompare ?? a.priceToCompare,
});

/**
 * Yields the days before a day, the latest first, until files lack a block. They are canonical if that day is.
 * @param after without a parent hash, nothing is yielded
 * @param firstDay the earliest day to yield
 */
export function* daysBefore(
  ends: Ends,
  after: { readonly day: UtcDay; readonly parentHash?: string | undefined },
  firstDay: UtcDay,
): Generator<DayProgress, void> {
  let { parentHash = '' } = after;
  for (let day = addDays(after.day, -1); day >= firstDay; day = addDays(day, -1)) {
    const end = ends.get(parentHash);
    const isEmpty = end !== undefined && end.part.day < day;
    const progress = isEmpty ? startDayProgress(day, end.part.last) : end?.whole;
    if (progress?.day !== day) return;
    yield progress;
    parentHash = progress.parentHash;
  }
}

/** Lists the complete days below a block that hosts confirm, with the hosts. The day of that block is not complete. */
export function confirmedDays(
  files: readonly EraSums[],
  ends: Ends,
  firstDay: UtcDay,
): readonly CompleteDay[] {
  const days = new Map<string, CompleteDay>();
  for (const { confirmedBy, days: parts } of files.toSorted((a, b) => a.first - b.first)) {
    const running = ends.get(lastHash(parts.at(-1)))?.whole;
    if (confirmedBy.length === 0 || !running) continue;
    for (const progress of daysBefore(ends, running, firstDay)) {
      const key = `${progress.day} ${lastHash(progress)}`;
      // An earlier file has confirmed it and all days before it.
      if (days.has(key)) break;
      days.set(key, { progress, finality: reportedBy(confirmedBy) });
    }
  }
  return [...days.values()];
}

/** Counts the days of which files have all blocks and one of a later day, whether they are canonical or not. */
export function countCompleteDays(files: readonly EraSums[], firstDay: UtcDay): number {
  const parts = partsOf(files);
  const ends = endsOf(parts);
  const days = parts.flatMap(({ part }) => {
    const before = ends.get(part.parentHash)?.whole;
    return before && before.day !== part.day && before.day >= firstDay ? [before.day] : [];
  });
  return new Set(days).size;
}
