import * as z from 'zod/mini';
import type { BlockRef, Finality } from '../../figures/block.ts';
import type { UtcDay } from '../../figures/calendar.ts';
import { type DayDetails, type DayFigures, evidences, type Provenance } from '../../figures/day-figures.ts';
import { finalityOf, linksToShape, toFinalityAttributes } from '../attributes/finality-attributes.ts';
import { blockRefShape } from '../attributes/shared-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { dayKey, dayRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, type Item, isNew, queryItems } from '../table/table.ts';
import { decodeFigures, type PricedAttributes, pricedShape, toDayItem } from './day-item.ts';
import { type DayVersion, isStill, versionShape } from './day-version.ts';
import { putDetails } from './details.ts';
import type { DayLink } from './heirs.ts';
import { noteUnpriced } from './unpriced-days.ts';
import { saveUnsentEvent } from './unsent-events.ts';

/** Stores the figures of a final day, unless the day is stored already. First saves a note that its event is to be sent. */
export async function putDay(
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance,
  details?: DayDetails,
): Promise<boolean> {
  const revision = 1;
  if (details) await putDetails(store, { day: figures.day, revision }, details);
  await noteUnpriced(store, { day: figures.day, revision });
  await saveUnsentEvent(store, { day: figures.day, revision });
  return store.table.putIf(
    { chain: store.chain, ...toDayItem(figures, provenance, revision, details) },
    isNew,
  );
}

const pricedSchema = z.object({ ...versionShape, ...pricedShape });

/** Reads one day with its version, and its dollars once it has been priced; returns undefined when it is not final. */
export async function getPricedDay(store: ChainReader, day: UtcDay) {
  const item = await getFinalItem(store, day);
  if (!item) return undefined;
  const { revision, amendments, ...price } = decodeItem(pricedSchema, store.chain, item);
  return { figures: decodeFigures(store.chain, item), version: { day, revision, amendments }, price };
}

/** Returns whether an item of a day is archived. Such a day is served, but is not final: nothing may follow from it. */
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

const finalitySchema = z.object({ confirmed_by: z.array(z.string()), ...linksToShape });

/** A final day, and the reason why it is final. */
export interface FinalDay {
  readonly figures: DayFigures;
  readonly finality: Finality;
}

/** Reads one day and the reason why it is final; returns undefined when it is not final. */
export async function getFinalDay(store: ChainReader, day: UtcDay): Promise<FinalDay | undefined> {
  const item = await getFinalItem(store, day);
  if (!item) return undefined;
  const finality = finalityOf(decodeItem(finalitySchema, store.chain, item));
  return { figures: decodeFigures(store.chain, item), finality };
}

/**
 * Stores the fees of a day in dollars, or the reason why it has none. The revision stays, because no figure changes.
 * @returns false when another writer changed the day since
 */
export const putPrice = (
  store: ChainStore,
  of: DayVersion,
  { fees_usd, price, unpriced_reason }: PricedAttributes,
): Promise<boolean> => amend(store, of, { fees_usd, price, unpriced_reason });

/** Replaces the reason why a day is final, as `putPrice` does with the price. */
export const putFinality = (store: ChainStore, heir: DayLink): Promise<boolean> =>
  amend(store, heir, toFinalityAttributes(heir.finality));

async function amend(store: ChainStore, of: DayVersion, attributes: object): Promise<boolean> {
  const item = await store.table.getItem(dayKey(store, of.day));
  const amendments = (of.amendments ?? 0) + 1;
  return item !== undefined && store.table.putIf({ ...item, ...attributes, amendments }, isStill(of));
}

const evidenceShape = { date: z.string(), evidence: z.enum(evidences) };
const storedSchema = z.object(evidenceShape);

/** Reads the final and the archived days from `first` to `last`, both included, ascending; all without them. */
export async function queryStoredDays(store: ChainReader, first?: UtcDay, last?: UtcDay) {
  const items = await queryItems(store.table, dayRange(store, first, last));
  return items.map((item) => ({
    figures: decodeFigures(store.chain, item),
    evidence: decodeItem(storedSchema, store.chain, item).evidence,
  }));
}

/** Reads the final days from `first` to `last`, both included, ascending. */
export async function queryDays(store: ChainReader, first: UtcDay, last: UtcDay): Promise<DayFigures[]> {
  const days = await queryStoredDays(store, first, last);
  return days.flatMap(({ figures, evidence }) => (evidence === 'archived' ? [] : [figures]));
}

const dateSchema = z.object({ date: z.string() });

/** Lists the final days from `first` on, ascending. @param isComplete with archived days, which are not final */
export async function listFinalDays(
  store: ChainReader,
  first: UtcDay,
  isComplete = false,
): Promise<UtcDay[]> {
  const items = await queryItems(store.table, {
    ...dayRange(store, first),
    ProjectionExpression: '#date, evidence',
  });
  return items
    .filter((item) => isComplete || !isArchived(item))
    .map((item) => decodeItem(dateSchema, store.chain, item).date);
}

export interface CheckedDay {
  readonly day: UtcDay;
  /** Absent on a day without blocks. */
  readonly first?: BlockRef | undefined;
}

const checkedDaySchema = z.object({ ...evidenceShape, first_block: z.optional(z.object(blockRefShape)) });

/** Lists the final days from `first` on that are not proven, ascending. */
export async function listCheckedDays(store: ChainReader, first: UtcDay): Promise<CheckedDay[]> {
  const items = await queryItems(store.table, {
    ...dayRange(store, first),
    ProjectionExpression: '#date, evidence, first_block',
  });
  return items
    .map((item) => decodeItem(checkedDaySchema, store.chain, item))
    .filter(({ evidence }) => evidence === 'checked')
    .map(({ date, first_block }) => ({ day: date, first: first_block }));
}

const evidenceSchema = z.object({
  ...evidenceShape,
  ...versionShape,
  parent_hash: z.string(),
  last_block: z.object(blockRefShape),
  ...finalitySchema.shape,
});

/** Lists all final and archived days with their evidence, ascending. */
export async function listEvidence(store: ChainReader): Promise<z.output<typeof evidenceSchema>[]> {
  const items = await queryItems(store.table, {
    ...dayRange(store),
    ProjectionExpression:
      '#date, evidence, parent_hash, last_block, confirmed_by, links_to, revision, amendments',
  });
  return items.map((item) => decodeItem(evidenceSchema, store.chain, item));
}

/** Returns the hashes that link days to each other, and the reason why each is final. */
export const linksOf = (days: Awaited<ReturnType<typeof listEvidence>>): readonly DayLink[] =>
  days
    .filter((day) => !isArchived(day))
    .map(({ date, parent_hash, last_block, revision, amendments, ...attributes }) => ({
      day: date,
      revision,
      amendments,
      lastHash: last_block.hash,
      parentHash: parent_hash,
      finality: finalityOf(attributes),
    }));

const ingestedSchema = z.object({ ingested_at: z.string() });
const firstIngestedSchema = z.object({
  ...ingestedSchema.shape,
  restated: z._default(z.array(ingestedSchema), []),
});

/** Returns the time at which a final day first became final, as ISO 8601. */
export async function finalSince(store: ChainReader, day: UtcDay): Promise<string> {
  const item = await store.table.getItem(dayKey(store, day));
  const { restated, ingested_at } = decodeItem(firstIngestedSchema, store.chain, item);
  return restated[0]?.ingested_at ?? ingested_at;
}
