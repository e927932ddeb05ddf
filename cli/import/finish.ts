import { isDeepStrictEqual } from 'node:util';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { newFirstDay, plannedFirstDay } from '../../core/days/first-day.ts';
import { beginCoverage, rebuildCoverage } from '../../core/store/chain/commit.ts';
import { conflictSchema } from '../../core/store/chain/conflicts.ts';
import { type Coverage, coverageSchema } from '../../core/store/chain/coverage.ts';
import { archiveFileSchema } from '../../core/store/days/archives.ts';
import { decodeCheckpoint } from '../../core/store/days/checkpoints.ts';
import type { StoredDay } from '../../core/store/days/day-item.ts';
import { decodeItem, InvalidItemError } from '../../core/store/table/decode-item.ts';
import { isOfKind } from '../../core/store/table/keys.ts';
import { chainStore, type Item, isNew } from '../../core/store/table/table.ts';
import type { OperatedService } from '../service.ts';
import { type StoredIndex, unamended } from './stored-days.ts';
import { dayId, type FileDay, type OtherItem, type RowProblem } from './validate-rows.ts';

/**
 * Decodes the items of an export that are not about a final day: coverages, requests to restate days with their progress, open
 * conflicts, and audits of archives' files. One that cannot be read is a problem: it would stop the runs of its chain.
 */
export function decodeOthers(others: readonly OtherItem[], chains: readonly ChainName[]) {
  const coverages = new Map<ChainName, Coverage>();
  const [items, problems]: [Item[], RowProblem[]] = [[], []];
  for (const { file, line, item } of others) {
    const chain = chains.find((name) => name === item.chain);
    if (!chain) continue;
    try {
      if (item.date === 'coverage') coverages.set(chain, decodeItem(coverageSchema, chain, item));
      else {
        if (isOfKind(item, 'conflict')) decodeItem(conflictSchema, chain, item);
        else if (isOfKind(item, 'archive')) decodeItem(archiveFileSchema, chain, item);
        else decodeCheckpoint({ chain, rules: chainOf(chain).rules }, item);
        items.push(item);
      }
    } catch (error) {
      if (!(error instanceof InvalidItemError)) throw error;
      problems.push({ file, line, problem: error.message });
    }
  }
  return { coverages, items, problems };
}

/** Returns the days of the table that are not as in the export. */
export function foreignDays(stored: StoredIndex, days: readonly FileDay[]): StoredDay[] {
  const exported = new Map(days.map(({ day }) => [dayId(day), unamended(day)]));
  return [...stored.values()].filter((day) => !isDeepStrictEqual(unamended(day), exported.get(dayId(day))));
}

/** More revisions than a day has, so that no entity tag that a client keeps is given to another body. */
const REVISIONS_OF_A_DAY = 10_000;

/**
 * Writes what depends on the days of a chain: requests to restate some of them, conflicts, audits, and the coverage.
 * @param foreign days of the table that were not as in the export before the first day was written
 */
export async function finishChain(
  { table, chains }: OperatedService,
  chain: ChainName,
  days: readonly FileDay[],
  { coverages, items }: ReturnType<typeof decodeOthers>,
  foreign: readonly StoredDay[],
): Promise<void> {
  const store = chainStore(table, chain);
  for (const item of items) if (item.chain === chain) await table.putIf(item, isNew);
  const from = chains.find(({ name }) => name === chain)?.from;
  const coverage = coverages.get(chain);
  if (coverage) {
    const hasOwn = foreign.some((day) => day.chain === chain);
    const revision = coverage.revision + (hasOwn ? REVISIONS_OF_A_DAY : 0);
    await rebuildCoverage(store, from ?? coverage.from_day, { ...coverage, revision });
    return;
  }
  const first = days.find(({ day }) => day.chain === chain)?.day.date;
  await rebuildCoverage(store, from ?? first ?? newFirstDay(chainOf(chain), undefined, Date.now()));
}

/** Begins the coverage of the chains of these days where it is missing, also of chains that the service does not ingest. */
export async function beginCoverages(
  { table, chains }: OperatedService,
  days: readonly FileDay[],
): Promise<void> {
  for (const name of new Set(days.map(({ day }) => day.chain))) {
    const store = chainStore(table, name);
    const served = chains.find((chain) => chain.name === name);
    await beginCoverage(store, await plannedFirstDay(store, chainOf(name), served?.from, Date.now()));
  }
}
