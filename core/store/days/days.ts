import * as z from 'zod/mini';
import { addDays, type UtcDay } from '../../figures/calendar.ts';
import { type DayFigures, evidences } from '../../figures/day-figures.ts';
import {
  finalityOf,
  finalityShape,
  type PricedAttributes,
  pricedShape,
  toFinalityAttributes,
} from '../attributes/day-attributes.ts';
import { blockRefShape } from '../attributes/shared-attributes.ts';
import { decodeItem, readItems } from '../table/decode-item.ts';
import { dayKey, dayRange } from '../table/keys.ts';
import type { ChainReader, ChainStore, Item } from '../table/table.ts';
import { decodeFigures, decodeStoredDay, figuresOf, figuresSchema, type StoredDay } from './day-item.ts';
import { dayReader } from './day-reader.ts';
import { amended, type DayVersion, isStill, versionShape } from './write-day.ts';

/** Returns whether a day is archived. Such a day is served, but is not final: nothing may follow from it. */
export const isArchived = ({ evidence }: Item): boolean => evidence === 'archived';

/** Reads the item of a day that is final; archived ones are not. */
async function getFinalItem(store: ChainReader, day: UtcDay): Promise<Item | undefined> {
  const item = await store.table.getItem(dayKey(store, day));
  return item && !isArchived(item) ? item : undefined;
}

/** Reads the figures of one day; returns undefined when it is not final. */
export async function getDay(store: ChainReader, day: UtcDay): Promise<DayFigures | undefined> {
  const item = await getFinalItem(store, day);
  return item && decodeFigures(store.chain, item);
}

const finalDaySchema = z.object({ ...versionShape, ...finalityShape, ...pricedShape });

export type FinalDay = NonNullable<Awaited<ReturnType<typeof getFinalDay>>>;

/** Reads one day with the reason why it is final, its version, and its dollars once it is priced; undefined when it is not final. */
export async function getFinalDay(store: ChainReader, day: UtcDay) {
  const item = await getFinalItem(store, day);
  if (!item) return undefined;
  const { revision, amendments, confirmed_by, links_to, ...price } = decodeItem(
    finalDaySchema,
    store.chain,
    item,
  );
  return {
    figures: decodeFigures(store.chain, item),
    finality: finalityOf({ confirmed_by, links_to }),
    version: { day, revision, amendments },
    price,
  };
}

/** Stores the dollars of a day, or why it has none. Its revision stays. @returns false when another writer changed the day since */
export const putPrice = (
  store: ChainStore,
  of: DayVersion,
  { fees_usd, price, unpriced_reason }: PricedAttributes,
): Promise<boolean> => amend(store, of, { fees_usd, price, unpriced_reason });

/** Replaces the reason why a day is final, as `putPrice` does with the price. */
export const putFinality = (store: ChainStore, heir: StoredEvidence): Promise<boolean> =>
  amend(store, { ...heir, day: heir.date }, toFinalityAttributes(finalityOf(heir)));

async function amend(store: ChainStore, of: DayVersion, attributes: object): Promise<boolean> {
  const item = await store.table.getItem(dayKey(store, of.day));
  return item !== undefined && store.table.putIf({ ...item, ...attributes, ...amended(of) }, isStill(of));
}

const evidenceShape = { evidence: z.enum(evidences) };
const storedSchema = z.extend(figuresSchema, evidenceShape);

/** Reads the final and the archived days from `first` to `last`, both included, ascending; all without them. */
export async function queryStoredDays(store: ChainReader, first?: UtcDay, last?: UtcDay) {
  const days = await readItems(storedSchema, store, dayRange(store, first, last));
  return days.map((day) => ({ figures: figuresOf(day), evidence: day.evidence }));
}

/** Reads the final days from `first` to `last`, both included, ascending. */
export async function queryDays(store: ChainReader, first: UtcDay, last: UtcDay): Promise<DayFigures[]> {
  const days = await queryStoredDays(store, first, last);
  return days.flatMap((day) => (isArchived(day) ? [] : [day.figures]));
}

/** Reads the complete items of all days, ascending. Reads a page when the caller needs it. @throws UnknownItemError */
export async function* readStoredDays(store: ChainReader): AsyncGenerator<StoredDay> {
  for await (const items of store.table.queryPages(dayRange(store))) yield* items.map(decodeStoredDay);
}

const readEvidence = dayReader(evidenceShape);

/** Lists the final days from `first` on, ascending. @param includesArchived adds archived days, which are not final */
export async function listFinalDays(
  store: ChainReader,
  first: UtcDay,
  includesArchived = false,
): Promise<UtcDay[]> {
  const days = await readEvidence(store, first);
  return days.filter((day) => includesArchived || !isArchived(day)).map(({ date }) => date);
}

const readCheckedDays = dayReader({ ...evidenceShape, first_block: z.optional(z.object(blockRefShape)) });

export type CheckedDay = Awaited<ReturnType<typeof listCheckedDays>>[number];

/** Lists the final days from `first` on that are not proven, ascending. A day without blocks has no first one. */
export const listCheckedDays = async (store: ChainReader, first: UtcDay) =>
  (await readCheckedDays(store, first)).filter(({ evidence }) => evidence === 'checked');

export type StoredEvidence = Awaited<ReturnType<typeof listEvidence>>[number];

/** Lists all final and archived days with their evidence, and the hashes that link them to each other, ascending. */
export const listEvidence = dayReader({
  ...evidenceShape,
  ...versionShape,
  parent_hash: z.string(),
  last_block: z.object(blockRefShape),
  ...finalityShape,
});

/* Some days become final before their chain can prove it. Later days link to them by hash, so they inherit the proof of those days. */

/** Lists the final days that a day with better evidence follows, the latest first, with that evidence. @param days ascending */
export function heirsOf(days: readonly StoredEvidence[]): readonly StoredEvidence[] {
  const heirs: StoredEvidence[] = [];
  let after: StoredEvidence | undefined;
  for (const day of days.filter((one) => !isArchived(one)).toReversed()) {
    const isFollowed = after?.date === addDays(day.date, 1) && after.parent_hash === day.last_block.hash;
    if (after && isFollowed && rankOf(after) > rankOf(day)) {
      after = { ...day, confirmed_by: after.confirmed_by, links_to: after.links_to };
      heirs.push(after);
    } else after = day;
  }
  return heirs;
}

/** Ranks the chain's own evidence above reports of hosts, and these above nothing. */
function rankOf({ links_to, confirmed_by }: StoredEvidence): number {
  if (links_to) return 2;
  return confirmed_by.length > 0 ? 1 : 0;
}

const ingestedShape = { ingested_at: z.string() };
const firstIngestedSchema = z.object({
  ...ingestedShape,
  restated: z._default(z.array(z.object(ingestedShape)), []),
});

/** Returns the time at which a final day first became final, as ISO 8601. */
export async function finalSince(store: ChainReader, day: UtcDay): Promise<string> {
  const item = await store.table.getItem(dayKey(store, day));
  const { restated, ingested_at } = decodeItem(firstIngestedSchema, store.chain, item);
  return restated[0]?.ingested_at ?? ingested_at;
}
