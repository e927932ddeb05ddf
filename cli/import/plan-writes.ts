import { isDeepStrictEqual } from 'node:util';
import { addDays } from '../../lambda/chains/utc-day.ts';
import { isContiguous } from '../../lambda/ingest/complete-day.ts';
import { describeBlock, describeChanges } from '../../lambda/store/compare-figures.ts';
import type { DayFigures } from '../../lambda/store/day-item.ts';
import { type DayDigest, type DigestIndex, dayId, type FileDay, indexByDay } from './day-digest.ts';
import type { RowProblem } from './validate-rows.ts';

/** A day to write, and the stored day that it replaces. */
export interface PlannedWrite extends FileDay {
  readonly stored?: DayDigest | undefined;
}

export interface WritePlan {
  readonly writes: readonly PlannedWrite[];
  /** Days that the table stores already. */
  readonly alreadyFinal: readonly FileDay[];
  readonly problems: readonly RowProblem[];
}

/**
 * Decides which days to write. Refuses days that contradict the table, and days that are not contiguous with the days
 * next to them, in the file or in the table.
 * @param days valid and each once
 * @param stored what the table stores of these days and of those next to them
 * @param replace allow days to replace stored days with other figures
 */
export function planWrites(
  days: readonly FileDay[],
  stored: DigestIndex,
  { replace }: { readonly replace: boolean },
): WritePlan {
  const conflicts = replace ? [] : conflictsIn(days, stored);
  const { good, gaps } = dropGaps(withoutProblems(days, conflicts), stored);
  const writes = good.map((day) => ({ ...day, stored: stored.get(dayId(day.chain, day.figures.day)) }));
  const isStored = (day: PlannedWrite) =>
    day.stored &&
    (replace
      ? day.stored.fingerprint === day.fingerprint
      : isDeepStrictEqual(day.stored.figures, day.figures));
  return {
    writes: writes.filter((day) => !isStored(day)),
    alreadyFinal: writes.filter(isStored),
    problems: [...conflicts, ...gaps].toSorted((a, b) => a.line - b.line),
  };
}

function withoutProblems(days: readonly FileDay[], problems: readonly RowProblem[]): readonly FileDay[] {
  const badLines = new Set(problems.map(({ line }) => line));
  return days.filter(({ line }) => !badLines.has(line));
}

/** Drops days until the rest is contiguous: without a dropped day, its neighbours face the one in the table. */
function dropGaps(days: readonly FileDay[], stored: DigestIndex) {
  const good = new Map(indexByDay(days));
  const gaps: RowProblem[] = [];
  for (let unchecked = days; unchecked.length > 0; ) {
    const found = unchecked.flatMap((day) =>
      gapsAround(day, good, stored).map((problem) => ({ day, problem })),
    );
    gaps.push(...found.map(({ day: { line }, problem }) => ({ line, problem })));
    const dropped = new Set(found.map(({ day }) => day));
    for (const { chain, figures } of dropped) good.delete(dayId(chain, figures.day));
    const neighbours = [...dropped].flatMap(({ chain, figures: { day } }) =>
      [-1, 1].map((distance) => good.get(dayId(chain, addDays(day, distance)))),
    );
    unchecked = [...new Set(neighbours)].filter((day) => day !== undefined);
  }
  return { good: [...good.values()], gaps };
}

const conflictsIn = (days: readonly FileDay[], stored: DigestIndex): RowProblem[] =>
  days.flatMap(({ line, chain, figures }) => {
    const id = dayId(chain, figures.day);
    const final = stored.get(id)?.figures;
    if (!final || isDeepStrictEqual(final, figures)) return [];
    const changes = describeChanges(final, figures);
    return [
      { line, problem: `${id} is final with other figures (${changes}). Use --replace to replace them` },
    ];
  });

const gapsAround = (
  { chain, figures }: FileDay,
  inFile: ReadonlyMap<string, FileDay>,
  stored: DigestIndex,
): string[] =>
  [-1, 1].flatMap((distance) => {
    const id = dayId(chain, addDays(figures.day, distance));
    const found = inFile.get(id);
    const other = (found ?? stored.get(id))?.figures;
    if (!other || (distance < 0 ? isContiguous(other, figures) : isContiguous(figures, other))) return [];
    const neighbour = `the day ${distance < 0 ? 'before' : 'after'}, in ${found ? `line ${found.line}` : 'the table'}`;
    return [
      `${chain} ${figures.day} has ${describeBlocks(figures)}, but ${neighbour}, has ${describeBlocks(other)}`,
    ];
  });

const describeBlocks = ({ first, last }: DayFigures) =>
  first ? `blocks ${first.number} to ${last.number}` : `no blocks after ${describeBlock(last)}`;
