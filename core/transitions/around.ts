import { describeBlock } from '../figures/block.ts';
import { addDays, type UtcDay } from '../figures/calendar.ts';
import type { DayFigures } from '../figures/day-figures.ts';
import { describeStart, isContiguous } from '../store/days/compare-figures.ts';
import { decodeFigures } from '../store/days/day-item.ts';
import { isArchived } from '../store/days/days.ts';
import { isStill, versionOf } from '../store/days/write-day.ts';
import { dayKey, dayRange } from '../store/table/keys.ts';
import { type ChainReader, type Item, isNew, queryItems, type Write } from '../store/table/table.ts';
import { type Conflict, conflict } from './conflict.ts';

/** The stored days around one. */
export interface Around {
  readonly item: (day: UtcDay) => Item | undefined;
  /** Returns the figures of a day that is final. */
  readonly final: (day: UtcDay) => DayFigures | undefined;
  /** Refuse a commit if one of these days has changed since it was read. */
  readonly checks: readonly Write[];
}

/** Reads the stored days around one. @param distance to the last one */
export async function readAround(store: ChainReader, day: UtcDay, distance = 1): Promise<Around> {
  const items = await queryItems(store.table, dayRange(store, addDays(day, -1), addDays(day, distance)));
  const item = (of: UtcDay) => items.find(({ date }) => date === of);
  const final = (of: UtcDay) => {
    const found = item(of);
    return found && !isArchived(found) ? decodeFigures(store.chain, found) : undefined;
  };
  // A query may see a part of a commit that is being applied. The checks wait for it, and refuse what was decided from that part.
  const neighbors = Array.from({ length: distance + 2 }, (_, index) => addDays(day, index - 1));
  const checks = neighbors.flatMap((neighbor): Write[] => {
    if (neighbor === day) return [];
    const found = item(neighbor);
    const condition = found ? isStill(versionOf(store, found)) : isNew;
    return [{ check: dayKey(store, neighbor), condition }];
  });
  return { item, final, checks };
}

/** Returns a conflict if a day is not contiguous with a final day before or after it. */
export function gapAround(store: ChainReader, around: Around, figures: DayFigures): Conflict | undefined {
  const [before, after] = [-1, 1].map((distance) => around.final(addDays(figures.day, distance)));
  return (before && gapBetween(store, before, figures)) ?? (after && gapBetween(store, figures, after));
}

/** Returns a conflict if a day does not end where the day after it begins. */
export function gapBetween({ chain }: ChainReader, one: DayFigures, other: DayFigures): Conflict | undefined {
  if (isContiguous(one, other)) return undefined;
  return conflict(
    one.day,
    `${chain} ${one.day} and ${other.day} are not contiguous: ${one.day} ends with block ${describeBlock(one.last)}; ` +
      `${describeStart(other)}. Verify both days and restate the wrong one, the later day first.`,
  );
}
