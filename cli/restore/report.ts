import { formatTable } from '../print.ts';
import type { ExportedChain } from './read-export.ts';
import type { Comparison } from './restore-chains.ts';

/** The result of a restore for one chain, as JSON. */
export type RestoredChain = ReturnType<typeof resultOf>;

/** @param before, after the comparison of the table with the export, before and after the restore */
export function resultOf({ chain, days, problems }: ExportedChain, before: Comparison, after: Comparison) {
  const dates = [...days.keys()];
  return {
    chain,
    start_date: dates[0] ?? null,
    end_date: dates.at(-1) ?? null,
    restored: before.missing.length - after.missing.length,
    already_final: before.identical,
    // Equal figures, which the ingest read another time.
    other_origin: after.otherOrigin,
    differing: after.differing,
    missing: after.missing.map(({ day }) => day.date),
    problems,
  };
}

/** Returns whether the table has every item of the export. */
export const isComplete = ({ differing, missing, problems }: RestoredChain): boolean =>
  differing.length + missing.length + problems.length === 0;

export const formatResults = (results: readonly RestoredChain[]): string =>
  formatTable(
    ['chain', 'first', 'last', 'restored', 'already final', 'other origin', 'differing', 'missing'],
    results.map((result) => [
      result.chain,
      result.start_date ?? 'none',
      result.end_date ?? '',
      result.restored,
      result.already_final,
      result.other_origin,
      result.differing.length,
      result.missing.length,
    ]),
  );
