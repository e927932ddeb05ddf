import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { ArchiveOrigin, DayDetails, DayFigures, Provenance } from '../../figures/day-figures.ts';
import { totalFees } from '../../figures/fee-parts.ts';
import { archiveShape } from '../attributes/archive-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { dayKey, dayRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, type Item, isNew, queryItems } from '../table/table.ts';
import { decodeFigures, toDayItem } from './day-item.ts';
import { isStill, versionShape } from './day-version.ts';
import { isArchived, queryStoredDays } from './days.ts';
import { putDetails } from './details.ts';
import { noteUnpriced } from './unpriced-days.ts';
import { saveUnsentEvent } from './unsent-events.ts';

/* Days from the file of an archive. They are served, and are not final: any proof replaces them. */

const originSchema = z.object({ ...versionShape, ...archiveShape });

export interface ArchivedDay {
  readonly figures: DayFigures;
  readonly origin: ArchiveOrigin;
  readonly item: Item;
}

function decodeArchived({ chain }: ChainReader, item: Item): ArchivedDay {
  const { archived_from: archive } = decodeItem(originSchema, chain, item);
  if (!archive) throw new Error(`${chain} ${item.date} is archived without an archive`);
  return { figures: decodeFigures(chain, item), origin: archive, item };
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

/** Stores an archived day, unless a day is stored. @returns whether it did */
export async function putArchivedDay(
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance & { readonly archive: ArchiveOrigin },
): Promise<boolean> {
  await saveUnsentEvent(store, { day: figures.day, revision: 1 });
  return store.table.putIf({ chain: store.chain, ...toDayItem(figures, provenance, 1) }, isNew);
}

/** Replaces the origin of an archived day, after another audit or once its file is void. @returns false when another writer changed the day */
export const putOrigin = (store: ChainStore, { item }: ArchivedDay, archive: ArchiveOrigin) =>
  amend(store, item, { ...item, archived_from: archive });

/**
 * Replaces an archived day by a proof of the same figures. The revision stays, because no figure changes.
 * @returns false when another writer changed the day
 */
export async function putProofOfArchived(
  store: ChainStore,
  { figures: { day }, item }: ArchivedDay,
  figures: DayFigures,
  provenance: Provenance,
  details: DayDetails,
): Promise<boolean> {
  const revision = Number(item.revision);
  await putDetails(store, { day, revision }, details);
  await noteUnpriced(store, { day, revision });
  await saveUnsentEvent(store, { day, revision });
  const proven = toDayItem(figures, provenance, revision, details);
  return amend(store, item, { chain: store.chain, ...proven, restated: item.restated });
}

function amend(store: ChainStore, before: Item, after: object): Promise<boolean> {
  const version = decodeItem(originSchema, store.chain, before);
  return store.table.putIf({ ...after, amendments: (version.amendments ?? 0) + 1 }, isStill(version));
}
