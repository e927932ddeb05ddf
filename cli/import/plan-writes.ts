import { isDeepStrictEqual } from 'node:util';
import { addDays } from '../../core/figures/calendar.ts';
import type { DayFigures } from '../../core/figures/day-figures.ts';
import {
  abbreviate,
  describeBlock,
  describeChanges,
  isContiguous,
} from '../../core/store/days/compare-figures.ts';
import { figuresOf, type StoredDay } from '../../core/store/days/day-item.ts';
import { dayId, type FileDay, type RowProblem } from './validate-rows.ts';

/** A day to write, and the stored day that it replaces. */
export interface PlannedWrite extends FileDay {
  readonly stored?: StoredDay | undefined;
}

export interface WritePlan {
  readonly writes: readonly PlannedWrite[];
  /** Days that the table stores already. */
  readonly alreadyFinal: readonly FileDay[];
  /** In the order of lines. */
  readonly problems: readonly RowProblem[];
}

/** Stored days by chain and date. */
export type StoredIndex = ReadonlyMap<string, StoredDay>;

/**
 * Decides which days to write. Refuses days that contradict the table, and days that are not contiguous with the days
 * next to them, in the file or in the table.
 * @param days valid and each once
 * @param stored what the table stores of these days and of those next to them
 * @param replace allow days to replace stored days with other figures
 */
export function planWrites(
  days: readonly FileDay[],
  stored: StoredIndex,
  { replace }: { readonly replace: boolean },
): WritePlan {
  const conflicts = replace ? [] : conflictsIn(days, stored);
  const badLines = new Set(conflicts.map(({ line }) => line));
  const { good, gaps } = dropGaps(
    days.filter(({ line }) => !badLines.has(line)),
    stored,
  );
  const writes = good.map((day) => ({ ...day, stored: stored.get(dayId(day.day)) }));
  // Without --replace, only days with the stored figures are left.
  const isStored = (write: PlannedWrite) =>
    write.stored && (!replace || isDeepStrictEqual(write.stored, write.day));
  return {
    writes: writes.filter((write) => !isStored(write)),
    alreadyFinal: writes.filter(isStored),
    problems: [...conflicts, ...gaps].toSorted((a, b) => a.line - b.line),
  };
}

const conflictsIn = (days: readonly FileDay[], stored: StoredIndex): RowProblem[] =>
  days.flatMap(({ line, day }) => {
    const final = stored.get(dayId(day));
    const changes = final && describeChanges(figuresOf(final), figuresOf(day));
    return changes
      ? [
          {
            line,
            problem: `${dayId(day)} is final with other figures (${changes}). Use --replace to replace them`,
          },
        ]
      : [];
  });

/** Drops days until the rest is contiguous: without a dropped day, its neighbors face the one in the table. */
function dropGaps(days: readonly FileDay[], stored: StoredIndex) {
  const good = new Map(days.map((day) => [dayId(day.day), day]));
  const gaps: RowProblem[] = [];
  for (let unchecked = days; unchecked.length > 0; ) {
    const found = unchecked.map((day) => ({ day, problems: gapsAround(day, good, stored) }));
    const dropped = found.filter(({ problems }) => problems.length > 0);
    gaps.push(
      ...dropped.flatMap(({ day: { line }, problems }) => problems.map((problem) => ({ line, problem }))),
    );
    for (const { day } of dropped) good.delete(dayId(day.day));
    const neighbors = dropped.flatMap(({ day: { day } }) =>
      [-1, 1].map((distance) => good.get(neighborId(day, distance))),
    );
    unchecked = [...new Set(neighbors)].filter((day) => day !== undefined);
  }
  return { good: [...good.values()], gaps };
}

const neighborId = ({ chain, date }: StoredDay, distance: number): string =>
  dayId({ chain, date: addDays(date, distance) });

const gapsAround = ({ day }: FileDay, inFile: ReadonlyMap<string, FileDay>, stored: StoredIndex): string[] =>
  [-1, 1].flatMap((distance) => {
    const id = neighborId(day, distance);
    const found = inFile.get(id);
    const other = found?.day ?? stored.get(id);
    if (!other) return [];
    const [own, next] = [figuresOf(day), figuresOf(other)];
    if (distance < 0 ? isContiguous(next, own) : isContiguous(own, next)) return [];
    const place = `the day ${distance < 0 ? 'before' : 'after'}, in ${found ? `line ${found.line}` : 'the table'}`;
    return [`${dayId(day)} has ${describeBlocks(own)}, but ${place}, has ${describeBlocks(next)}`];
  });

const describeBlocks = ({ first, last, parentHash }: DayFigures) => {
  if (!first) return `no blocks after ${describeBlock(last)}`;
  return `blocks ${first.number} to ${describeBlock(last)}, parent ${abbreviate(parentHash)}`;
};
