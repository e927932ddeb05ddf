import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { addDays, type UtcDay } from '../figures/calendar.ts';
import {
  type Summary,
  summarize,
  summaryOf,
  summarySchema,
  toSummaryAttributes,
} from './coverage-summary.ts';
import { listEvidence } from './days.ts';
import { decodeItem } from './decode-item.ts';
import { coverageKey } from './keys.ts';
import { integer } from './shared-attributes.ts';
import { type ChainReader, type ChainStore, isNew, isUnchanged } from './table.ts';
import { listWaitingDays } from './waiting-days.ts';

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
  /** Absent in items of release 0.1.0 until their next change, and when no day is final. */
  readonly summary?: Summary | undefined;
  /** Days of which every block is read, and that become final once the day after them is. */
  readonly waitingDays: number;
  /** Time of the chain's first run, ISO 8601; absent when that was a run of release 0.1.0. */
  readonly begunAt?: string | undefined;
  /** Time since when an import replaces final days, ISO 8601: until its end, no revision stands for their figures. */
  readonly replacingSince?: string | undefined;
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
  summary: z.optional(summarySchema),
  // Absent in items of earlier versions.
  waiting_days: z._default(integer, 0),
  begun_at: z.optional(z.iso.datetime()),
  replacing_since: z.optional(z.iso.datetime()),
});

const toItem = (coverage: Coverage) => ({
  from_day: coverage.from,
  through_day: coverage.through,
  last_day: coverage.last,
  revision: coverage.revision,
  changes: coverage.changes,
  changes_since: coverage.changesSince,
  summary: coverage.summary && toSummaryAttributes(coverage.summary),
  waiting_days: coverage.waitingDays,
  begun_at: coverage.begunAt,
  replacing_since: coverage.replacingSince,
});

export async function getCoverage(store: ChainReader): Promise<Coverage | undefined> {
  const item = await store.table.getItem(coverageKey(store));
  return item && decodeCoverage(store, item);
}

export function decodeCoverage({ chain }: Pick<ChainReader, 'chain'>, item: unknown): Coverage {
  const stored = decodeItem(coverageSchema, chain, item);
  const { summary } = stored;
  return {
    from: stored.from_day,
    through: stored.through_day,
    last: stored.last_day,
    revision: stored.revision,
    changes: stored.changes,
    // Earlier versions did not store it.
    changesSince: stored.changes_since ?? stored.revision,
    summary: summary && summaryOf(summary),
    waitingDays: stored.waiting_days,
    begunAt: stored.begun_at,
    replacingSince: stored.replacing_since,
  };
}

/**
 * Rebuilds the coverage from the stored days, which finds a missing day anywhere since `from`. An optimistic lock protects
 * it from other writers.
 * @param changed final days whose figures were replaced
 * @param replacement `begins` before an import replaces days, `ends` after it
 */
export async function refreshCoverage(
  store: ChainStore,
  from: UtcDay,
  changed: readonly UtcDay[] = [],
  replacement?: 'begins' | 'ends',
): Promise<Coverage> {
  for (;;) {
    const before = await getCoverage(store);
    const after = {
      ...(await coveredDays(store, from)),
      ...withReplacement(before, withChanges(before, changed), replacement),
      begunAt: before?.begunAt,
    };
    const item = { ...coverageKey(store), ...toItem(after) };
    if (await store.table.putIf(item, isUnchanged('revision', before?.revision ?? 0))) return after;
  }
}

/**
 * Stores the coverage of a chain that has none, because it has not run or because the item was lost.
 * @param now time of the chain's first run
 */
export async function beginCoverage(store: ChainStore, from: UtcDay, now: Date): Promise<void> {
  const coverage = {
    ...(await coveredDays(store, from)),
    ...withChanges(undefined, []),
    begunAt: now.toISOString(),
  };
  // Unless another run was faster.
  await store.table.putIf({ ...coverageKey(store), ...toItem(coverage) }, isNew);
}

/**
 * Rebuilds the coverage after days were restored from an export. In a table without one it gets the exported revision, so that entity tags
 * stay valid, otherwise a higher one. Idempotent.
 * @param exported the coverage in the export
 */
export async function restoreCoverage(store: ChainStore, from: UtcDay, exported: Coverage): Promise<void> {
  for (;;) {
    const before = await getCoverage(store);
    const derived = { ...(await coveredDays(store, from)), begunAt: exported.begunAt };
    const isRestored = before && isDeepStrictEqual({ ...before, ...derived }, before);
    if (isRestored && before.revision >= exported.revision) return;
    const revision = before ? Math.max(before.revision + 1, exported.revision) : exported.revision;
    // Caches of earlier revisions read all days again.
    const after = { ...derived, revision, changes: [], changesSince: revision };
    const item = { ...coverageKey(store), ...toItem(after) };
    if (await store.table.putIf(item, isUnchanged('revision', before?.revision ?? 0))) return;
  }
}

/** Derives what the coverage says about final days. */
async function coveredDays(store: ChainReader, from: UtcDay) {
  const days = await listEvidence(store);
  const dates = days.map(({ date }) => date);
  const since = dates.filter((date) => date >= from);
  const summary = await summarize(store, days);
  // A waiting day that was just published is deleted next.
  const waiting = (await listWaitingDays(store)).filter(({ progress }) => !dates.includes(progress.day));
  return {
    from,
    through: lastContiguousDay(from, since),
    last: dates.at(-1),
    summary,
    waitingDays: waiting.length,
  };
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

/** An import ends within this time, or it was killed. */
const MAX_REPLACEMENT_MS = 3_600_000;

/** Returns changes with the time since when days are replaced. After a killed import, caches read all days again. */
function withReplacement(
  before: Coverage | undefined,
  changes: Changes,
  replacement: 'begins' | 'ends' | undefined,
): Changes & Pick<Coverage, 'replacingSince'> {
  if (replacement === 'begins') return { ...changes, replacingSince: new Date(Date.now()).toISOString() };
  const { replacingSince } = before ?? {};
  if (replacement === 'ends' || replacingSince === undefined) return changes;
  if (Date.now() - Date.parse(replacingSince) < MAX_REPLACEMENT_MS) return { ...changes, replacingSince };
  return { revision: changes.revision, changes: [], changesSince: changes.revision };
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
