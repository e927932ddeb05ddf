import { isDeepStrictEqual } from 'node:util';
import type { Chain } from '../chains/chains.ts';
import { addDays, dayOf, later, type UtcDay } from '../figures/calendar.ts';
import { type Coverage, getCoverage, TABLE_FORMAT } from '../store/chain/coverage.ts';
import { keysOf } from '../store/days/compare-figures.ts';
import { finalSince, heirsOf, listEvidence, type StoredEvidence } from '../store/days/days.ts';
import { listWaitingDays } from '../store/days/waiting-days.ts';
import { itemKey } from '../store/table/keys.ts';
import { type ChainReader, type ChainStore, isUnchanged } from '../store/table/table.ts';

/* Writes the coverage, with the first day to ingest. The API's functions only read it, and start faster without this module. */

/** Keeps the item under 4 KB, which DynamoDB reads for one unit. */
const MAX_CHANGES = 64;
/** Final days that one run changes for the same reason. With more, caches would read all days again. */
export const MAX_CHANGED_DAYS = 50;

/**
 * Rebuilds the coverage from the stored days, so that it shows every missing day since `from`.
 * @param changed final days whose figures were replaced
 * @param replacement `begins` before an import replaces days, `ends` after it
 * @param begunAt time of the chain's first run, ISO 8601; kept once it is stored
 */
export const refreshCoverage = (
  store: ChainStore,
  from: UtcDay,
  changed: readonly UtcDay[] = [],
  replacement?: 'begins' | 'ends',
  begunAt?: string,
): Promise<Coverage> =>
  saveCoverage(store, async (before) => {
    const derived = await coveredDays(store, from);
    const changes = withChanges(before, changed);
    // Nothing says which days an operator deleted: caches read all days again.
    const isShrunk =
      countAll(derived.summary) < countAll(before?.summary) ||
      derived.through_day < (before?.through_day ?? '');
    return {
      ...derived,
      ...withReplacement(before, isShrunk ? allChanged(changes) : changes, replacement),
      begun_at: before?.begun_at ?? begunAt,
    };
  });

const countAll = (summary: Coverage['summary']): number =>
  Object.values(summary?.by_evidence ?? {}).reduce((sum, { days }) => sum + days, 0);

const allChanged = ({ revision }: Changes): Changes => ({ revision, changes: [], changes_since: revision });

/**
 * Rebuilds the coverage after days were restored from an export. Without a stored coverage it gets the exported revision, so that entity
 * tags stay valid; otherwise a higher one. Idempotent.
 */
export async function restoreCoverage(store: ChainStore, from: UtcDay, exported: Coverage): Promise<void> {
  await saveCoverage(store, async (before) => {
    const derived = { ...(await coveredDays(store, from)), begun_at: exported.begun_at };
    const isRestored =
      before &&
      before.replacing_since === undefined &&
      keysOf(derived).every((name) => isDeepStrictEqual(derived[name], before[name]));
    if (isRestored && before.revision >= exported.revision) return before;
    const revision = before ? Math.max(before.revision + 1, exported.revision) : exported.revision;
    // Caches with an earlier revision read all days again.
    return { ...derived, revision, changes: [], changes_since: revision };
  });
}

/** Stores a new coverage, unless it is the one before. An optimistic lock protects it from other writers. */
async function saveCoverage(
  store: ChainStore,
  follow: (before: Coverage | undefined) => Promise<Coverage>,
): Promise<Coverage> {
  for (;;) {
    const before = await getCoverage(store);
    const after = await follow(before);
    const item = { ...itemKey(store, 'coverage'), format: TABLE_FORMAT, ...after };
    const isLast = isUnchanged('revision', before?.revision ?? 0);
    if (after === before || (await store.table.putIf(item, isLast))) return after;
  }
}

/** Derives what the coverage says about final days. */
async function coveredDays(store: ChainReader, from_day: UtcDay) {
  const days = await listEvidence(store);
  const dates = new Set(days.map(({ date }) => date));
  let through_day = addDays(from_day, -1);
  while (dates.has(addDays(through_day, 1))) through_day = addDays(through_day, 1);
  // The waiting item of a day that was just published is deleted next.
  const waiting = (await listWaitingDays(store)).filter(({ progress }) => !dates.has(progress.day));
  const summary = await summarize(store, days);
  return { from_day, through_day, last_day: days.at(-1)?.date, summary, waiting_days: waiting.length };
}

/** An import ends within this time, or it was killed. */
const MAX_REPLACEMENT_MS = 3_600_000;

/** Adds the start of a replacement to changes. If another was killed, or has not ended, caches read all days again. */
function withReplacement(
  before: Coverage | undefined,
  changes: Changes,
  replacement: 'begins' | 'ends' | undefined,
): Changes & Pick<Coverage, 'replacing_since'> {
  const { replacing_since } = before ?? {};
  const all = allChanged(changes);
  if (replacement === 'begins')
    return { ...(replacing_since ? all : changes), replacing_since: new Date(Date.now()).toISOString() };
  if (replacement === 'ends' || replacing_since === undefined) return changes;
  if (Date.now() - Date.parse(replacing_since) < MAX_REPLACEMENT_MS) return { ...changes, replacing_since };
  return all;
}

type Changes = Pick<Coverage, 'revision' | 'changes' | 'changes_since'>;

/** Returns the next revision with these days among its changes; the oldest changes are dropped. */
export function withChanges(before: Changes | undefined, days: readonly UtcDay[]): Changes {
  const { changes, changes_since, ...last } = before ?? { revision: 0, changes: [], changes_since: 0 };
  const revision = last.revision + 1;
  const all = [...changes, ...days.map((day) => ({ day, revision }))];
  return {
    revision,
    changes: all.slice(-MAX_CHANGES),
    changes_since: all.at(-MAX_CHANGES - 1)?.revision ?? changes_since,
  };
}

/** @param days all final days, ascending */
async function summarize(store: ChainReader, days: readonly StoredEvidence[]): Promise<Coverage['summary']> {
  if (days.length === 0) return undefined;
  const groups = [...Map.groupBy(days, ({ evidence }) => evidence)];
  const summaries = groups.map(async ([evidence, group]) => {
    const [first, last] = [group[0]?.date ?? '', group.at(-1)?.date ?? ''];
    return [evidence, { days: group.length, first, last, since: await finalSince(store, last) }];
  });
  return { by_evidence: Object.fromEntries(await Promise.all(summaries)), heirs: heirsOf(days).length };
}

/** A chain without a start date begins this many days before its first run. */
const DAYS_BACK = 30;

/** Returns the first day to ingest of a chain that has not run yet. @param now milliseconds since 1970 */
export const newFirstDay = ({ firstDay }: Chain, startDate: UtcDay | undefined, now: number): UtcDay =>
  later(startDate ?? addDays(dayOf(now / 1_000), -DAYS_BACK), firstDay);

/**
 * Returns the first day to ingest. Without a start date, the first run chooses it and the coverage keeps it, so that later deployments do
 * not move it.
 * @param startDate from the stage's settings; a change moves the first day
 * @param now milliseconds since 1970
 */
export async function plannedFirstDay(
  store: ChainReader,
  chain: Chain,
  startDate: UtcDay | undefined,
  now: number,
): Promise<UtcDay> {
  const coverage = startDate === undefined ? await getCoverage(store) : undefined;
  return coverage?.from_day ?? newFirstDay(chain, startDate, now);
}

/** Returns the planned first day, and stores it if this is the chain's first run. */
export async function keepFirstDay(
  store: ChainStore,
  chain: Chain,
  startDate: UtcDay | undefined,
  now: number,
): Promise<UtcDay> {
  const coverage = await getCoverage(store);
  if (coverage && startDate === undefined) return coverage.from_day;
  const from = newFirstDay(chain, startDate, now);
  if (!coverage) await refreshCoverage(store, from, [], undefined, new Date(now).toISOString());
  return from;
}
