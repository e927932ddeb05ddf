import * as z from 'zod/mini';
import type { BlockRef, Finality } from '../../figures/block.ts';
import type { UtcDay } from '../../figures/calendar.ts';
import { type DayFigures, type Evidence, evidences } from '../../figures/day-figures.ts';
import {
  finalityOf,
  finalityShape,
  type PricedAttributes,
  pricedShape,
} from '../attributes/day-attributes.ts';
import { blockRefShape } from '../attributes/shared-attributes.ts';
import { decodeItem, readItems } from '../table/decode-item.ts';
import { dayKey, dayRange } from '../table/keys.ts';
import type { ChainReader, Item } from '../table/table.ts';
import { decodeFigures, decodeStoredDay, figuresOf, figuresSchema, type StoredDay } from './day-item.ts';
import { dayReader } from './day-reader.ts';
import { type DayVersion, versionShape } from './write-day.ts';

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

export interface FinalDay {
  readonly figures: DayFigures;
  readonly finality: Finality;
  readonly version: DayVersion;
  readonly price: PricedAttributes;
}

/** Reads one day with the reason why it is final, its version, and its dollars once it is priced; undefined when it is not final. */
export async function getFinalDay(store: ChainReader, day: UtcDay): Promise<FinalDay | undefined> {
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

const evidenceShape = { evidence: z.enum(evidences) };
const storedSchema = z.extend(figuresSchema, evidenceShape);

/** Reads the final and the archived days from `first` to `last`, both included, ascending; all without them. */
export async function queryStoredDays(
  store: ChainReader,
  first?: UtcDay,
  last?: UtcDay,
): Promise<{ readonly figures: DayFigures; readonly evidence: Evidence }[]> {
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

export type CheckedDay = { readonly date: UtcDay; readonly first_block?: BlockRef | undefined };

/** Lists the final days from `first` on that are not proven, ascending. A day without blocks has no first one. */
export const listCheckedDays = async (store: ChainReader, first: UtcDay): Promise<CheckedDay[]> =>
  (await readCheckedDays(store, first)).filter(({ evidence }) => evidence === 'checked');

/** Lists all final and archived days with their evidence, and the hashes that link them to each other, ascending. */
export const listEvidence = dayReader({
  ...evidenceShape,
  parent_hash: z.string(),
  last_block: z.object(blockRefShape),
});
