import { isDeepStrictEqual } from 'node:util';
import type { UtcDay } from '../../figures/calendar.ts';
import { itemKey } from '../table/keys.ts';
import { type ChainStore, isUnchanged, type Write } from '../table/table.ts';
import { type Coverage, getCoverage, TABLE_FORMAT } from './coverage.ts';
import { fromText } from './covered-days.ts';
import { countWaiting, coverageAfter, readCovered, summarize, withChanges } from './next-coverage.ts';

/*
 * A change of a day is one commit: one transaction that writes all of its items, and the coverage that follows from them. The condition on
 * the coverage makes the commits of a chain come one after another, so that what was read before a commit, neighbors included, is still
 * so when it is done.
 */

/** The writes of a commit, as decided from what the table has now. Without any, nothing is written. */
export interface Decision<Result> {
  /** The coverage follows from those of days and of waiting days. */
  readonly writes: readonly Write[];
  /** Returned once the writes are done. */
  readonly result: Result;
}

/** Far more than the runs that may change a chain at the same time. */
const MAX_ATTEMPTS = 1_000;
/** Attempts that lose cost write units, so they wait longer each time. */
const MAX_PAUSE_MS = 1_000;

/**
 * Commits a decision. If another commit was faster, decides again from what the table has then.
 * @param decide reads what it needs; `revision` is the coverage's after this commit, and no other commit has it
 */
export async function commit<Result>(
  store: ChainStore,
  decide: (revision: number) => Promise<Decision<Result>>,
): Promise<Result> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await getCoverage(store);
    const { writes, result } = await decide((before?.revision ?? 0) + 1);
    if (writes.length === 0) return result;
    const after = await coverageAfter(store, before, writes);
    if (await store.table.commit([...writes, putCoverage(store, before, after)])) return result;
    await store.table.pause(Math.min(20 * 2 ** attempt, MAX_PAUSE_MS));
  }
  throw new Error(`${store.chain}: other writers were faster ${MAX_ATTEMPTS} times. Try again.`);
}

/** Writes the coverage alone. @param follow returns the next one; the same one to write nothing */
async function commitCoverage(
  store: ChainStore,
  follow: (before: Coverage | undefined) => Promise<Coverage>,
): Promise<Coverage> {
  for (;;) {
    const before = await getCoverage(store);
    const after = await follow(before);
    if (after === before || (await store.table.commit([putCoverage(store, before, after)]))) return after;
  }
}

const putCoverage = (store: ChainStore, before: Coverage | undefined, after: Coverage): Write => ({
  put: { ...itemKey(store, 'coverage'), format: TABLE_FORMAT, ...after },
  condition: isUnchanged('revision', before?.revision ?? 0),
});

/**
 * Begins the coverage of a chain, or moves its first day. Reads all stored days if there is no coverage, or it was deleted. Its revisions
 * then continue from the time in milliseconds, which is higher than any before.
 * @param begunAt time of the chain's first run, ISO 8601; kept once it is stored
 */
export const beginCoverage = (store: ChainStore, from: UtcDay, begunAt?: string): Promise<Coverage> =>
  commitCoverage(store, async (before) => {
    if (before?.from_day === from && (before.begun_at ?? begunAt) === before.begun_at) return before;
    const covered = (before && fromText(before.days)) ?? (await readCovered(store));
    const begun = before ?? {
      revision: covered.first === undefined ? 0 : Date.now(),
      changes: [],
      changes_since: 0,
      waiting_days: await countWaiting(store),
    };
    return {
      ...begun,
      ...withChanges(begun),
      ...(await summarize(store, from, covered, before)),
      begun_at: before?.begun_at ?? begunAt,
    };
  });

/**
 * Rebuilds the coverage from the stored days, after days were written without it. Without a stored coverage it gets the exported revision,
 * so that entity tags stay valid; otherwise a higher one. Idempotent.
 * @param exported the coverage of the export that was restored; absent if the export has none
 */
export const rebuildCoverage = (
  store: ChainStore,
  from: UtcDay,
  exported?: Pick<Coverage, 'revision' | 'begun_at'>,
): Promise<Coverage> =>
  commitCoverage(store, async (before) => {
    const { revision: atLeast = 1, begun_at = before?.begun_at } = exported ?? {};
    const covered = await summarize(store, from, await readCovered(store), undefined);
    const derived = { ...covered, waiting_days: await countWaiting(store), begun_at };
    // An attribute that is absent is undefined in one of them.
    if (before && before.revision >= atLeast && isDeepStrictEqual(pick(before, derived), derived))
      return before;
    const revision = Math.max((before?.revision ?? 0) + 1, atLeast);
    // Caches with an earlier revision read all days again.
    return { ...derived, revision, changes: [], changes_since: revision };
  });

const pick = (from: Coverage, names: object): object =>
  Object.fromEntries(Object.keys(names).map((name) => [name, from[name as keyof Coverage]]));
