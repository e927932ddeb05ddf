import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails, DayFigures, Provenance, Restatement } from '../../figures/day-figures.ts';
import { integer, optionalInteger } from '../attributes/shared-attributes.ts';
import { decodeItem, readItem } from '../table/decode-item.ts';
import { type DayRevision, dayKey } from '../table/keys.ts';
import {
  type ChainReader,
  type ChainStore,
  type Condition,
  chainStore,
  isNew,
  type Table,
} from '../table/table.ts';
import { differingParts, partsOfDay } from './compare-figures.ts';
import { figuresOf, figuresSchema, type StoredDay, toDayItem } from './day-item.ts';
import { putDetails } from './details.ts';
import { noteUnpriced, saveUnsentEvent } from './notes.ts';

export const versionShape = {
  revision: integer,
  /** Counts the additions to this revision; absent before the first. */
  amendments: optionalInteger,
};

type ItemVersion = z.output<z.ZodMiniObject<typeof versionShape>>;

/** The version of a day's item that was read. */
export type DayVersion = DayRevision & ItemVersion;

/** Returns the condition that nobody has written a day since it was read. Every writer raises one of the two counters. */
export const isStill = ({ revision, amendments }: ItemVersion): Condition => ({
  ConditionExpression: `revision = :revision AND ${amendments === undefined ? 'attribute_not_exists(amendments)' : 'amendments = :amendments'}`,
  ExpressionAttributeValues: { ':revision': revision, ...(amendments && { ':amendments': amendments }) },
});

/** Returns the attribute of the next version with the same revision. */
export const amended = ({ amendments = 0 }: ItemVersion) => ({ amendments: amendments + 1 });

/** Details and notes, which are saved before a day is written, so that no crash leaves a day without them. */
interface Notes {
  readonly details?: DayDetails | undefined;
  /** False for a day that is not to be priced. */
  readonly isPriceable?: boolean;
  /** False for a day whose event was sent before. */
  readonly isNews?: boolean;
}

/** Writes the item of a day with its notes. @returns false when the condition fails, because another writer was faster */
export async function writeDay(
  store: ChainStore,
  item: ItemVersion & { readonly date: UtcDay; readonly archived_from?: object | undefined },
  condition: Condition,
  { details, isPriceable = item.archived_from === undefined, isNews = true }: Notes,
): Promise<boolean> {
  const of = { day: item.date, revision: item.revision };
  if (details) await putDetails(store, of, details);
  if (isPriceable) await noteUnpriced(store, of);
  if (isNews) await saveUnsentEvent(store, { ...of, amendment: item.amendments });
  return store.table.putIf({ ...item, chain: store.chain }, condition);
}

/** Stores the figures of a final or an archived day, unless the day is stored already. */
export const putDay = (
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance,
  details?: DayDetails,
): Promise<boolean> => writeDay(store, toDayItem(figures, provenance, 1, details), isNew, { details });

/** Replaces a day by a copy from another table. @param before the stored version; undefined when none is stored */
export async function putStoredDay(
  table: Table,
  day: StoredDay,
  before: ItemVersion | undefined,
  details?: DayDetails,
  isNews = true,
): Promise<boolean> {
  const store = chainStore(table, day.chain);
  // The details are written before the day. Those of the same revision would be replaced even if the day has changed since.
  const now = before && (await readItem(z.object(versionShape), store, dayKey(store, day.date)));
  if (before && (now?.revision !== before.revision || now.amendments !== before.amendments)) return false;
  // Raised, so that no writer takes the copy for the version that it replaces.
  const item = before?.revision === day.revision ? { ...day, ...amended(before) } : day;
  const isPriceable =
    details?.dollars !== undefined && day.price === undefined && day.unpriced_reason === undefined;
  return writeDay(store, item, before ? isStill(before) : isNew, { details, isPriceable, isNews });
}

const replaceableSchema = z.extend(figuresSchema, {
  evidence: z.string(),
  measures_version: optionalInteger,
});

/** Returns whether a final day has the same figures with measures, and evidence that is as good, so that it need not be replaced. */
export async function isUpToDate(
  store: ChainReader,
  figures: DayFigures,
  { evidence }: Provenance,
): Promise<boolean> {
  const stored = await readItem(replaceableSchema, store, dayKey(store, figures.day));
  if (stored?.measures_version === undefined) return false;
  const isAsGood = stored.evidence === 'proven' || evidence === 'checked';
  return isAsGood && differingParts(partsOfDay(figuresOf(stored)), partsOfDay(figures)).length === 0;
}

/** Keeps unknown attributes, because the whole item moves into `restated`. */
const restatedDaySchema = z.looseObject({
  date: z.string(),
  ...versionShape,
  restated: z._default(z.array(z.looseObject({ reason: z.string(), requested_at: z.string() })), []),
});

const isDone = (
  { restated }: z.output<typeof restatedDaySchema>,
  { reason, requestedAt }: Restatement,
): boolean => restated.some((old) => old.reason === reason && old.requested_at === requestedAt);

/**
 * Replaces the figures of a final day. The revision increases, and the old item is kept in the list `restated`, with the reason and the
 * time. Idempotent: a restatement that is already done changes nothing.
 * @param version of the day that was compared with the new figures; any by default
 * @returns false when another writer changed the day meanwhile
 */
export async function replaceDay(
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance,
  restatement: Restatement,
  details?: DayDetails,
  version?: ItemVersion,
): Promise<boolean> {
  const stored = await store.table.getItem(dayKey(store, figures.day));
  const day = decodeItem(restatedDaySchema, store.chain, stored);
  if (isDone(day, restatement)) return true;
  const { chain: _chain, date: _date, restated, ...old } = day;
  const replaced = {
    ...old,
    reason: restatement.reason,
    requested_at: restatement.requestedAt,
    restated_at: provenance.ingestedAt.toISOString(),
  };
  const item = {
    ...toDayItem(figures, provenance, old.revision + 1, details),
    restated: [...restated, replaced],
  };
  return writeDay(store, item, isStill(version ?? old), { details });
}

/** Returns `open` until the day of a restatement is replaced, then `done`; `void` if the day is not final. */
export async function restatementState(
  store: ChainReader,
  day: UtcDay,
  restatement: Restatement,
): Promise<'open' | 'void' | 'done'> {
  const stored = await readItem(restatedDaySchema, store, dayKey(store, day));
  if (!stored) return 'void';
  return isDone(stored, restatement) ? 'done' : 'open';
}
