import type { DayDetails } from '../figures/day-figures.ts';
import { commit } from '../store/chain/commit.ts';
import type { StoredDay } from '../store/days/day-item.ts';
import { isArchived } from '../store/days/days.ts';
import { amended, dayWrites, type ItemVersion, isSameVersion, versionOf } from '../store/days/write-day.ts';
import { chainStore, type Table, type Write } from '../store/table/table.ts';
import { readState } from './state.ts';

/**
 * Replaces a day by a copy from another table.
 * @param before the stored version; undefined when none is stored
 * @param isRestored true for the days of a daily export: their events were sent, and the coverage is rebuilt after them
 * @returns false when another writer changed the day since
 */
export async function importDay(
  table: Table,
  day: StoredDay,
  before: ItemVersion | undefined,
  details?: DayDetails,
  isRestored = false,
): Promise<boolean> {
  const store = chainStore(table, day.chain);
  // Raised, so that no writer takes the copy for the version that it replaces.
  const item = before?.revision === day.revision ? { ...day, ...amended(before) } : day;
  const isPriceable =
    details?.dollars !== undefined && day.price === undefined && day.unpriced_reason === undefined;
  const writesAt = async (position?: number): Promise<readonly Write[] | undefined> => {
    const state = await readState(store, day.date);
    const stored = 'item' in state ? versionOf(store, state.item) : undefined;
    if (!isSameVersion(stored, before)) return undefined;
    // An archived day may still be read, to prove it.
    const others = isArchived({ evidence: day.evidence }) ? [] : state.endOfReading;
    return [...dayWrites(store, item, before, { details, isPriceable, position }), ...others];
  };
  if (isRestored) {
    const writes = await writesAt();
    return writes !== undefined && table.commit(writes);
  }
  return commit(store, async (revision) => {
    const writes = await writesAt(revision);
    return { writes: writes ?? [], result: writes !== undefined };
  });
}
