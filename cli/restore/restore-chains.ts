import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { chainOf } from '../../core/chains/chains.ts';
import { systemClock } from '../../core/clock.ts';
import { newFirstDay } from '../../core/days/first-day.ts';
import { refreshCoverage, restoreCoverage } from '../../core/days/refresh-coverage.ts';
import { saveConflict } from '../../core/store/chain/conflicts.ts';
import { describeChanges } from '../../core/store/days/compare-figures.ts';
import { figuresOf, type StoredDay } from '../../core/store/days/day-item.ts';
import { requestRestatement } from '../../core/store/days/restatements.ts';
import { isUnpriced, readStoredDays } from '../../core/store/days/stored-days.ts';
import { noteUnpriced } from '../../core/store/days/unpriced-days.ts';
import { TableUnavailableError } from '../../core/store/table/client.ts';
import { chainStore, isNew, type Table } from '../../core/store/table/table.ts';
import { dayId } from '../import/validate-rows.ts';
import type { OperatedService } from '../service.ts';
import type { ExportedChain, ExportedDay } from './read-export.ts';

/** The days of an exported chain, compared with the table. */
export interface Comparison {
  /** Days that the table stores as the export has them. */
  readonly identical: number;
  /** Days with the same figures, which were read another time. */
  readonly otherOrigin: number;
  /** Days with other figures, with what differs. */
  readonly differing: readonly string[];
  readonly missing: readonly ExportedDay[];
  /** Days of the table that the export does not have. */
  readonly others: number;
}

export async function compareChain(table: Table, { chain, days }: ExportedChain): Promise<Comparison> {
  const stored = new Map<string, StoredDay>();
  const found = readStoredDays(chainStore(table, chain), '0000-01-01', '9999-12-31');
  for await (const day of found) stored.set(day.date, day);
  const differing: string[] = [];
  const missing: ExportedDay[] = [];
  let identical = 0;
  for (const exported of days.values()) {
    const { day } = exported;
    const own = stored.get(day.date);
    if (!own) missing.push(exported);
    else if (isDeepStrictEqual(own, day)) identical++;
    else {
      const changes = describeChanges(figuresOf(day), figuresOf(own));
      if (changes) differing.push(`${dayId(day)} has other figures than in the export: ${changes}.`);
    }
  }
  const there = days.size - missing.length;
  const otherOrigin = there - identical - differing.length;
  return { identical, otherOrigin, differing, missing, others: stored.size - there };
}

/** More would only meet the cap of the table sooner. */
const CONCURRENCY = 8;

/**
 * Writes days that the table lacks, as they were stored. Their events were sent when they became final, so none are due.
 * @param onWritten receives the number of days written
 * @throws AbortError when `signal` aborts
 */
export async function writeMissing(
  table: Table,
  days: readonly ExportedDay[],
  { signal, onWritten }: { readonly signal: AbortSignal; readonly onWritten: (days: number) => void },
): Promise<void> {
  let written = 0;
  await pMap(
    days,
    async ({ items }) => {
      for (const item of items) await putPatiently(table, item, signal);
      onWritten(++written);
    },
    { concurrency: CONCURRENCY, signal },
  );
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 20_000;

/** Writes an item, unless there is one. While the table throttles, waits longer each time, up to 40 seconds in all. */
async function putPatiently(table: Table, item: object, signal: AbortSignal): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    try {
      // A day that another writer stored meanwhile stays, and the comparison shows it.
      await table.putIf(item, isNew);
      return;
    } catch (error) {
      if (!(error instanceof TableUnavailableError) || pause > MAX_PAUSE_MS) throw error;
    }
    await systemClock.sleep(systemClock.jitter(pause), signal);
  }
}

/** More revisions than a day has, so that no entity tag that a client keeps is given to another body. */
const REVISIONS_OF_A_DAY = 10_000;

/** Counts the days of the table that are not as in the export. */
export const countOwnDays = ({ others, otherOrigin, differing }: Comparison): number =>
  others + otherOrigin + differing.length;

/**
 * Writes what depends on the days: open requests to restate some of them, and the coverage.
 * @param before the comparison before the first day was written
 */
export async function finishChain(
  { table, chains }: OperatedService,
  { chain, days, coverage, restatements, conflicts }: ExportedChain,
  before: Comparison,
): Promise<void> {
  const store = chainStore(table, chain);
  for (const { day, items } of days.values())
    if (isUnpriced(day) && items.some((item) => 'dollars' in item))
      await noteUnpriced(store, { day: day.date, revision: day.revision });
  for (const { day, restatement } of restatements) await requestRestatement(store, day, restatement);
  for (const conflict of conflicts) await saveConflict(store, conflict);
  const configured = chains.find(({ name }) => name === chain)?.from;
  if (coverage) {
    const revision = coverage.revision + (countOwnDays(before) > 0 ? REVISIONS_OF_A_DAY : 0);
    return restoreCoverage(store, configured ?? coverage.from, { ...coverage, revision });
  }
  const [first] = days.keys();
  await refreshCoverage(store, configured ?? first ?? newFirstDay(chainOf(chain), undefined, Date.now()));
}
