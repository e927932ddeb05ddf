import { isDeepStrictEqual } from 'node:util';
import { addDays, type UtcDay } from '../figures/calendar.ts';
import { type Coverage, getCoverage, type Summary, toItem } from '../store/chain/coverage.ts';
import { finalSince, heirsOf, listEvidence } from '../store/days/days.ts';
import { listWaitingDays } from '../store/days/waiting-days.ts';
import { itemKey } from '../store/table/keys.ts';
import { type ChainReader, type ChainStore, isNew, isUnchanged } from '../store/table/table.ts';

/* Writes the coverage. The API's functions only read it, and start faster without this module. */

/** Keeps the item under 4 KB, which DynamoDB reads for one unit. */
const MAX_CHANGES = 64;

/**
 * Rebuilds the coverage from the stored days, so that it shows every missing day since `from`. An optimistic lock protects
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
    const item = { ...itemKey(store, 'coverage'), ...toItem(after) };
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
  await store.table.putIf({ ...itemKey(store, 'coverage'), ...toItem(coverage) }, isNew);
}

/**
 * Rebuilds the coverage after days were restored from an export. Without a stored coverage it gets the exported revision, so that entity
 * tags stay valid; otherwise a higher one. Idempotent.
 */
export async function restoreCoverage(store: ChainStore, from: UtcDay, exported: Coverage): Promise<void> {
  for (;;) {
    const before = await getCoverage(store);
    const derived = { ...(await coveredDays(store, from)), begunAt: exported.begunAt };
    const isRestored = before && isDeepStrictEqual({ ...before, ...derived }, before);
    if (isRestored && before.revision >= exported.revision) return;
    const revision = before ? Math.max(before.revision + 1, exported.revision) : exported.revision;
    // Caches with an earlier revision read all days again.
    const after = { ...derived, revision, changes: [], changesSince: revision };
    const item = { ...itemKey(store, 'coverage'), ...toItem(after) };
    if (await store.table.putIf(item, isUnchanged('revision', before?.revision ?? 0))) return;
  }
}

/** Derives what the coverage says about final days. */
async function coveredDays(store: ChainReader, from: UtcDay) {
  const days = await listEvidence(store);
  const dates = days.map(({ date }) => date);
  const since = dates.filter((date) => date >= from);
  const summary = await summarize(store, days);
  // The waiting item of a day that was just published is deleted next.
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

/** Adds the start of a replacement to changes. After an import that was killed, caches read all days again. */
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

/** @param days all final days, ascending */
async function summarize(
  store: ChainReader,
  days: Awaited<ReturnType<typeof listEvidence>>,
): Promise<Summary | undefined> {
  if (days.length === 0) return undefined;
  const groups = [...Map.groupBy(days, ({ evidence }) => evidence)];
  const summaries = groups.map(async ([evidence, group]) => {
    const [first, last] = [group[0]?.date ?? '', group.at(-1)?.date ?? ''];
    return [evidence, { days: group.length, first, last, since: await finalSince(store, last) }];
  });
  return { byEvidence: Object.fromEntries(await Promise.all(summaries)), heirs: heirsOf(days).length };
}
