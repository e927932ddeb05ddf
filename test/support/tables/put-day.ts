import { type CompleteDay, contentOf, publishContent } from '#core/days/publish-day.ts';
import { HOURS_PER_DAY, type UtcDay } from '#core/figures/calendar.ts';
import type { DayDetails, DayFigures, Provenance, Restatement } from '#core/figures/day-figures.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { beginCoverage, commit, rebuildCoverage } from '#core/store/chain/commit.ts';
import { type Coverage, getCoverage } from '#core/store/chain/coverage.ts';
import { requestRestatement } from '#core/store/days/checkpoints.ts';
import { type StoredDay, toDayItem } from '#core/store/days/day-item.ts';
import type { WaitingDay } from '#core/store/days/waiting-days.ts';
import { dayWrites } from '#core/store/days/write-day.ts';
import { dayKey, itemKey } from '#core/store/table/keys.ts';
import { type ChainStore, chainStore, type Table } from '#core/store/table/table.ts';
import type { Conflict } from '#core/transitions/conflict.ts';
import { importDay as putCopy } from '#core/transitions/import.ts';
import { restate } from '#core/transitions/restate.ts';
import { wait } from '#core/transitions/wait.ts';

/** Stores a day as a run publishes it, unless it is stored already. @returns whether it was stored */
export async function putDay(
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance,
  details?: DayDetails,
): Promise<boolean> {
  if (!(await getCoverage(store))) await beginCoverage(store, figures.day);
  return commit(store, async (position) => {
    const isStored = (await store.table.getItem(dayKey(store, figures.day))) !== undefined;
    const item = toDayItem(figures, provenance, 1, details);
    const writes = isStored ? [] : dayWrites(store, item, undefined, { details, position });
    return { writes, result: !isStored };
  });
}

/** Replaces a day by a copy, also of a chain that has not begun. */
export async function putStoredDay(
  table: Table,
  day: StoredDay,
  ...given: Tail<Tail<Parameters<typeof putCopy>>>
): Promise<boolean> {
  const store = chainStore(table, day.chain);
  if (!(await getCoverage(store))) await beginCoverage(store, day.date);
  return putCopy(table, day, ...given);
}

type Tail<All extends readonly unknown[]> = All extends [unknown, ...infer Others] ? Others : never;

/** Lets a day wait, also of a chain that has not begun. */
export async function putWaitingDay(store: ChainStore, waiting: WaitingDay): Promise<void> {
  if (!(await getCoverage(store))) await beginCoverage(store, waiting.progress.day);
  await wait(store, waiting);
}

/** Publishes a complete day, also of a chain that has not begun. @returns why it is not published */
export async function publishDay(
  store: ChainStore,
  complete: CompleteDay,
  now: number,
): Promise<Conflict | undefined> {
  if (!(await getCoverage(store))) await beginCoverage(store, complete.progress.day);
  return publishContent(store, contentOf(store, complete, now));
}

/** Replaces the figures of a final day as a run does that was asked to. @returns whether they were replaced */
export async function replaceDay(
  store: ChainStore,
  figures: DayFigures,
  given: Provenance,
  restatement: Restatement,
  details?: Partial<DayDetails>,
): Promise<boolean> {
  await requestRestatement(store, figures.day, restatement);
  const none = {
    hours: Array.from({ length: HOURS_PER_DAY }, () => NO_TOTALS),
    feeCounts: new Map(),
    dollars: undefined,
  };
  const content = { figures, provenance: given, details: { ...none, ...details } };
  return (await restate(store, content, restatement)).kind === 'restated';
}

/** Begins a new revision of the coverage, rebuilt from the stored days, as if its last commit were long ago. */
export async function refreshCoverage(store: ChainStore, from: UtcDay): Promise<Coverage> {
  const before = await getCoverage(store);
  await rebuildCoverage(store, from, { revision: (before?.revision ?? 0) + 1, begun_at: before?.begun_at });
  return settle(store);
}

/** Lets the last commit of a chain be long ago. */
export async function settle(store: ChainStore): Promise<Coverage> {
  const coverage = (await getCoverage(store)) as Coverage;
  const settled = { ...coverage, changes: coverage.changes.map((change) => ({ ...change, at: 0 })) };
  const item = await store.table.getItem(itemKey(store, 'coverage'));
  await store.table.putIf({ ...item, ...itemKey(store, 'coverage'), changes: settled.changes });
  return settled;
}
