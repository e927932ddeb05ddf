import * as z from 'zod/mini';
import { addDays, type UtcDay } from '../chains/utc-day.ts';
import { integer } from './attributes.ts';
import type { ChainReader, ChainStore } from './chain-store.ts';
import { lastFinalDay, listFinalDays } from './days.ts';
import { coverageKey } from './keys.ts';
import { isUnchanged } from './table.ts';

/** Which days of a chain are final, in one small item. It can be rebuilt from the day items. */
export interface Coverage {
  /** Every day from `from` through `through` is final; `through` is the day before `from` when none is. */
  readonly from: UtcDay;
  readonly through: UtcDay;
  /** The last final day, after `through` where a day is missing; absent when no day is final. */
  readonly last?: UtcDay | undefined;
  /** Increases by one with every change. */
  readonly revision: number;
  /** Final days whose figures changed after the revision `changesSince`, so that caches read them again. */
  readonly changes: readonly Change[];
  readonly changesSince: number;
}

interface Change {
  readonly day: UtcDay;
  /** Revision of the coverage that first lists the change. */
  readonly revision: number;
}

/** Keeps the item under 4 KB, which DynamoDB reads for one unit. */
const MAX_CHANGES = 64;

const coverageSchema = z.object({
  from_day: z.string(),
  through_day: z.string(),
  last_day: z.optional(z.string()),
  revision: integer,
  changes: z._default(z.array(z.object({ day: z.string(), revision: integer })), []),
  changes_since: z.optional(integer),
});

const toItem = ({ from, through, last, revision, changes, changesSince }: Coverage) => ({
  from_day: from,
  through_day: through,
  last_day: last,
  revision,
  changes,
  changes_since: changesSince,
});

export async function getCoverage(store: ChainReader): Promise<Coverage | undefined> {
  const item = await store.table.getItem(coverageKey(store));
  if (!item) return undefined;
  const { from_day, through_day, last_day, revision, changes, changes_since } = coverageSchema.parse(item);
  return {
    from: from_day,
    through: through_day,
    last: last_day,
    revision,
    changes,
    // Earlier versions did not store it.
    changesSince: changes_since ?? revision,
  };
}

/**
 * Rebuilds the coverage from the stored days, which finds a missing day anywhere since `from`. An optimistic lock protects
 * it from other writers.
 * @param changed final days whose figures were replaced
 */
export async function refreshCoverage(
  store: ChainStore,
  from: UtcDay,
  changed: readonly UtcDay[] = [],
): Promise<Coverage> {
  for (;;) {
    const before = await getCoverage(store);
    const days = await listFinalDays(store, from);
    const last = days.at(-1) ?? (await lastFinalDay(store));
    const after = { from, through: lastContiguousDay(from, days), last, ...withChanges(before, changed) };
    const item = { ...coverageKey(store), ...toItem(after) };
    if (await store.table.putIf(item, isUnchanged('revision', before?.revision ?? 0))) return after;
  }
}

/**
 * Returns the last of the contiguous days that begin with `from`, or the day before `from`.
 * @param days the final days since `from`, ascending
 */
export function lastContiguousDay(from: UtcDay, days: readonly UtcDay[]): UtcDay {
  let through = addDays(from, -1);
  for (const day of days) {
    if (day !== addDays(through, 1)) break;
    through = day;
  }
  return through;
}

type Changes = Pick<Coverage, 'revision' | 'changes' | 'changesSince'>;

/** Returns the next revision with these days among its changes; the oldest changes are dropped. */
export function withChanges(before: Changes | undefined, days: readonly UtcDay[]): Changes {
  const { changes, changesSince, ...last } = before ?? { revision: 0, changes: [], changesSince: 0 };
  const revision = last.revision + 1;
  const all = [...changes, ...days.map((day) => ({ day, revision }))];
  return {
    revision,
    changes: all.slice(-MAX_CHANGES),
    changesSince: all.at(-MAX_CHANGES - 1)?.revision ?? changesSince,
  };
}
