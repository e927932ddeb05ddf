import * as z from 'zod/mini';
import { addDays, type UtcDay } from '../chains/utc-day.ts';
import { integer } from './attributes.ts';
import type { ChainStore } from './chain-store.ts';
import { lastFinalDay, listFinalDays } from './days.ts';
import { getItem, isUnchanged, putIf } from './table.ts';

/** Which days of a chain are final, in one small item. It follows from the day items and can be made anew from them. */
export interface Coverage {
  /** Every day from `from` through `through` is final; `through` is the day before `from` when none is. */
  readonly from: UtcDay;
  readonly through: UtcDay;
  /** The last final day, which lies after `through` where there is a hole; absent when there is none. */
  readonly last?: UtcDay | undefined;
  /** Goes up by one with every change. */
  readonly revision: number;
  /** Days that were final already and say something else now, for those who keep days: all since the revision `changesSince`. */
  readonly changes: readonly Change[];
  readonly changesSince: number;
}

interface Change {
  readonly day: UtcDay;
  /** Of the coverage that tells of it. */
  readonly revision: number;
}

const KEY = 'coverage';

/** With more the item would come near 4 KB, up to which it is read for one unit. */
const MOST_CHANGES = 64;

const changeSchema = z.object({ day: z.string(), revision: integer });

const coverageSchema = z.object({
  from_day: z.string(),
  through_day: z.string(),
  last_day: z.optional(z.string()),
  revision: integer,
  changes: z._default(z.array(changeSchema), []),
  changes_since: z.optional(integer),
});

export async function getCoverage(store: ChainStore): Promise<Coverage | undefined> {
  const item = await getItem(store.table, { chain: store.chain, date: KEY });
  if (!item) return undefined;
  const { from_day, through_day, last_day, revision, changes, changes_since } = coverageSchema.parse(item);
  return {
    from: from_day,
    through: through_day,
    last: last_day,
    revision,
    changes,
    // An older version of the code did not keep them.
    changesSince: changes_since ?? revision,
  };
}

/**
 * Makes the coverage anew from the days that are stored, so that a hole anywhere since `from` is seen.
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
    const after = { from, through: throughOf(from, days), last, ...withChanges(before, changed) };
    const item = {
      chain: store.chain,
      date: KEY,
      from_day: after.from,
      through_day: after.through,
      last_day: after.last,
      revision: after.revision,
      changes: after.changes,
      changes_since: after.changesSince,
    };
    if (await putIf(store.table, item, isUnchanged('revision', before?.revision ?? 0))) return after;
  }
}

/**
 * The last day of those that follow one another without a hole from `from` on.
 * @param days the final days since `from`, ascending
 */
export function throughOf(from: UtcDay, days: readonly UtcDay[]): UtcDay {
  let through = addDays(from, -1);
  for (const day of days) {
    if (day !== addDays(through, 1)) break;
    through = day;
  }
  return through;
}

type Changes = Pick<Coverage, 'revision' | 'changes' | 'changesSince'>;

export function withChanges(before: Changes | undefined, days: readonly UtcDay[]): Changes {
  const { changes, changesSince, ...last } = before ?? { revision: 0, changes: [], changesSince: 0 };
  const revision = last.revision + 1;
  const all = [...changes, ...days.map((day) => ({ day, revision }))];
  return {
    revision,
    changes: all.slice(-MOST_CHANGES),
    changesSince: all.at(-MOST_CHANGES - 1)?.revision ?? changesSince,
  };
}
