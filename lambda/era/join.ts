import { addTotals } from '../chains/totals.ts';
import { addDays, type UtcDay } from '../chains/utc-day.ts';
import type { CompleteDay } from '../ingest/complete-day.ts';
import { startProgress } from '../ingest/progress.ts';
import type { Progress } from '../store/checkpoint-item.ts';
import type { EraSums } from '../store/era-sums.ts';
import { isSummed } from './sum-file.ts';

/**
 * Files whose blocks continue each other, up to one whose last hash endpoints confirm. So each of their blocks is canonical.
 */
export interface TiedRun {
  /** Names of the files, in order. */
  readonly files: readonly string[];
  /** The blocks by day. The first and the last day lack the blocks of other files. */
  readonly days: readonly Progress[];
  /** Hosts of the endpoints, for each of `days`, that confirm a hash above it. */
  readonly confirmedBy: readonly (readonly string[])[];
}

/** Ties files to confirmed hashes by their parents' hashes, and joins those that continue each other, in order. */
export function tieFiles(all: readonly EraSums[]): readonly TiedRun[] {
  const runs: TiedRun[] = [];
  let parent:
    | { readonly hash: string; readonly number: number; readonly hosts: readonly string[] }
    | undefined;
  // Of two files that begin together the longer one comes first: the last era1 file of a chain is short, its ere file is not.
  const descending = all.filter(isSummed).toSorted((a, b) => b.first - a.first || b.count - a.count);
  for (const sums of descending) {
    const last = sums.days.at(-1)?.last;
    const isTied = parent !== undefined && last?.number === parent.number && last.hash === parent.hash;
    const hosts = sums.confirmedBy.length > 0 ? sums.confirmedBy : isTied ? parent?.hosts : undefined;
    // Neither confirmed nor the parent of a tied file: perhaps of another chain, or one whose follower is missing.
    if (!hosts) continue;
    const own = { files: [sums.name], days: sums.days, confirmedBy: sums.days.map(() => hosts) };
    const follower = runs[0];
    // The same blocks in another file.
    if (follower && !isTied && last && last.number >= firstOf(follower)) continue;
    if (follower && isTied) runs[0] = joined(own, follower);
    else runs.unshift(own);
    parent = { hash: sums.parentHash, number: sums.first - 1, hosts };
  }
  return runs;
}

const firstOf = ({ days }: TiedRun): number => days[0]?.first?.number ?? 0;

/** Joins two runs. The day that the end of a file cuts gets the blocks of both. */
function joined(a: TiedRun, b: TiedRun): TiedRun {
  const files = [...a.files, ...b.files];
  const [end, start] = [a.days.at(-1), b.days[0]];
  if (!end || !start || end.day !== start.day) {
    return { files, days: [...a.days, ...b.days], confirmedBy: [...a.confirmedBy, ...b.confirmedBy] };
  }
  const whole: Progress = {
    ...start,
    first: end.first,
    totals: addTotals(end.totals, start.totals),
    provenBlocks: end.provenBlocks + start.provenBlocks,
    hosts: [...new Set([...end.hosts, ...start.hosts])].toSorted(),
  };
  return {
    files,
    days: [...a.days.slice(0, -1), whole, ...b.days.slice(1)],
    confirmedBy: [...a.confirmedBy.slice(0, -1), ...b.confirmedBy],
  };
}

/**
 * Returns the days of which a run has every block: those with blocks of other days, or genesis, on both sides. Days without blocks
 * in between are complete too.
 * @param from the first day to return
 */
export function completeDaysOf({ days, confirmedBy }: TiedRun, from: UtcDay): readonly CompleteDay[] {
  return days.slice(0, -1).flatMap((progress, index) => {
    const next = days[index + 1]?.first;
    if (!next) return [];
    const isWhole = index > 0 || progress.first?.number === 0;
    const complete = (day: Progress, hosts: readonly string[]) => ({
      progress: day,
      next,
      confirmedBy: hosts,
    });
    const empty: CompleteDay[] = [];
    const following = days[index + 1]?.day ?? '';
    const firstEmpty = addDays(progress.day, 1);
    for (let day = firstEmpty < from ? from : firstEmpty; day < following; day = addDays(day, 1)) {
      empty.push(complete(startProgress(day, progress.last), []));
    }
    const own = isWhole && progress.day >= from ? [complete(progress, confirmedBy[index] ?? [])] : [];
    return [...own, ...empty];
  });
}
