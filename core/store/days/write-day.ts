import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails, DayFigures, Provenance, Restatement } from '../../figures/day-figures.ts';
import { integer, optionalInteger } from '../attributes/shared-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { type DayRevision, dayKey } from '../table/keys.ts';
import { type ChainReader, type Condition, type Item, isNew, type Write } from '../table/table.ts';
import { differingParts, partsOfDay } from './compare-figures.ts';
import { type DayItem, figuresOf, figuresSchema, toDayItem } from './day-item.ts';
import { putDetails } from './details.ts';
import { noteUnpriced, noteUnsentEvent } from './notes.ts';

export const versionShape = {
  revision: integer,
  /** Counts the additions to this revision; absent before the first. */
  amendments: optionalInteger,
};

const versionSchema = z.object(versionShape);

export type ItemVersion = z.output<typeof versionSchema>;

/** The version of a day's item that was read. */
export type DayVersion = DayRevision & ItemVersion;

/** Returns the condition that nobody has written a day since it was read. Every writer raises one of the two counters. */
export const isStill = ({ revision, amendments }: ItemVersion): Condition => ({
  ConditionExpression: `revision = :revision AND ${amendments === undefined ? 'attribute_not_exists(amendments)' : 'amendments = :amendments'}`,
  ExpressionAttributeValues: { ':revision': revision, ...(amendments && { ':amendments': amendments }) },
});

export const isSameVersion = (a: ItemVersion | undefined, b: ItemVersion | undefined): boolean =>
  a?.revision === b?.revision && a?.amendments === b?.amendments;

/** Returns the attribute of the next version with the same revision. */
export const amended = ({ amendments = 0 }: ItemVersion): { amendments: number } => ({
  amendments: amendments + 1,
});

/** The items that are written with a day. */
export interface DayNotes {
  readonly details?: DayDetails | undefined;
  /** False for a day that is not to be priced. */
  readonly isPriceable?: boolean;
  /** The position of the event among those that are not sent yet; absent for a day whose event was sent before. */
  readonly position?: number | undefined;
}

/**
 * Returns the writes of a day with all that belongs to it.
 * @param before the stored version; undefined if none is stored
 */
export function dayWrites(
  store: ChainReader,
  item: ItemVersion & { readonly date: UtcDay; readonly archived_from?: object | undefined },
  before: ItemVersion | undefined,
  { details, isPriceable = item.archived_from === undefined, position }: DayNotes,
): readonly Write[] {
  const of = { day: item.date, revision: item.revision };
  return [
    { put: { ...item, chain: store.chain }, condition: before ? isStill(before) : isNew },
    ...(details ? [putDetails(store, of, details)] : []),
    ...(isPriceable ? [noteUnpriced(store, of)] : []),
    ...(position === undefined
      ? []
      : [noteUnsentEvent(store, { ...of, amendment: item.amendments, position })]),
  ];
}

/** Returns the version of a stored day. */
export const versionOf = ({ chain }: ChainReader, item: Item): ItemVersion =>
  decodeItem(versionSchema, chain, item);

const replaceableSchema = z.extend(figuresSchema, {
  evidence: z.string(),
  measures_version: optionalInteger,
});

/** Returns whether a stored day has the same figures with measures, and evidence that is as good, so that it need not be replaced. */
export function isUpToDate(
  { chain }: ChainReader,
  item: Item,
  figures: DayFigures,
  { evidence }: Provenance,
): boolean {
  const stored = decodeItem(replaceableSchema, chain, item);
  if (stored.measures_version === undefined) return false;
  const isAsGood = stored.evidence === 'proven' || evidence === 'checked';
  return isAsGood && differingParts(partsOfDay(figuresOf(stored)), partsOfDay(figures)).length === 0;
}

/** Keeps unknown attributes, because the whole item moves into `restated`. */
const restatedDaySchema = z.looseObject({
  date: z.string(),
  ...versionShape,
  restated: z._default(z.array(z.looseObject({ reason: z.string(), requested_at: z.string() })), []),
});

/**
 * Returns the item that replaces a stored day. The revision increases, and the old item is kept in the list `restated`, with the reason
 * and the time.
 */
export function restatedItem(
  { chain }: ChainReader,
  stored: Item,
  figures: DayFigures,
  provenance: Provenance,
  restatement: Restatement,
  details?: DayDetails,
): DayItem & { readonly restated: readonly object[] } {
  const day = decodeItem(restatedDaySchema, chain, stored);
  const { chain: _chain, date: _date, restated, ...old } = day;
  const replaced = {
    ...old,
    reason: restatement.reason,
    requested_at: restatement.requestedAt,
    restated_at: provenance.ingestedAt.toISOString(),
  };
  return { ...toDayItem(figures, provenance, old.revision + 1, details), restated: [...restated, replaced] };
}

/** Returns whether a stored day was replaced for a request already. */
export const isRestated = (
  { chain }: ChainReader,
  stored: Item,
  { reason, requestedAt }: Restatement,
): boolean =>
  decodeItem(restatedDaySchema, chain, stored).restated.some(
    (old) => old.reason === reason && old.requested_at === requestedAt,
  );

/** Returns `open` until the day of a restatement is replaced, then `done`; `void` if the day is not stored. */
export async function restatementState(
  store: ChainReader,
  day: UtcDay,
  restatement: Restatement,
): Promise<'open' | 'void' | 'done'> {
  const stored = await store.table.getItem(dayKey(store, day));
  if (!stored) return 'void';
  return isRestated(store, stored, restatement) ? 'done' : 'open';
}
