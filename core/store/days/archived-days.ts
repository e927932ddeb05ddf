import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { ArchiveOrigin, DayDetails, DayFigures, Provenance } from '../../figures/day-figures.ts';
import { totalFees } from '../../figures/fee-parts.ts';
import { dayShape } from '../attributes/day-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { dayKey, dayRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, type Item, queryItems } from '../table/table.ts';
import { decodeFigures, toDayItem } from './day-item.ts';
import { isArchived, queryStoredDays } from './days.ts';
import { amended, type DayVersion, isStill, versionShape, writeDay } from './write-day.ts';

/* Days from the file of an archive. They are served, and are not final: any proof replaces them. */

const originSchema = z.object({ ...versionShape, archived_from: dayShape.archived_from });

export interface ArchivedDay {
  readonly figures: DayFigures;
  readonly origin: ArchiveOrigin;
  readonly item: Item;
  readonly version: Omit<DayVersion, 'day'>;
}

function decodeArchived({ chain }: ChainReader, item: Item): ArchivedDay {
  const { archived_from: origin, ...version } = decodeItem(originSchema, chain, item);
  if (!origin) throw new Error(`${chain} ${item.date} is archived without an archive`);
  return { figures: decodeFigures(chain, item), origin, item, version };
}

export async function getArchivedDay(store: ChainReader, day: UtcDay): Promise<ArchivedDay | undefined> {
  const item = await store.table.getItem(dayKey(store, day));
  return item && isArchived(item) ? decodeArchived(store, item) : undefined;
}

/** Lists the archived days, ascending. */
export async function listArchivedDays(store: ChainReader): Promise<ArchivedDay[]> {
  const items = await queryItems(store.table, dayRange(store));
  return items.filter(isArchived).map((item) => decodeArchived(store, item));
}

/** Returns the percentage of the fees of all stored days that is proven, rounded down; undefined without fees. */
export async function provenFeesPercent(store: ChainReader): Promise<number | undefined> {
  const days = await queryStoredDays(store);
  const feesOf = (some: typeof days) =>
    some.reduce((sum, { figures }) => sum + totalFees(figures.totals.fees), 0n);
  const all = feesOf(days);
  const proven = feesOf(days.filter(({ evidence }) => evidence === 'proven'));
  return all === 0n ? undefined : Number((proven * 1_000n) / all) / 10;
}

/** Replaces the origin of an archived day, after another audit or once its file is void. @returns false when another writer changed the day */
export const putOrigin = (store: ChainStore, { item, version }: ArchivedDay, archive: ArchiveOrigin) =>
  store.table.putIf({ ...item, archived_from: archive, ...amended(version) }, isStill(version));

/**
 * Replaces an archived day by a proof of the same figures. The revision stays, because no figure changes.
 * @returns false when another writer changed the day
 */
export function putProofOfArchived(
  store: ChainStore,
  { item, version }: ArchivedDay,
  figures: DayFigures,
  provenance: Provenance,
  details: DayDetails,
): Promise<boolean> {
  const proven = toDayItem(figures, provenance, version.revision, details);
  const after = { ...proven, restated: item.restated, ...amended(version) };
  return writeDay(store, after, isStill(version), { details });
}
