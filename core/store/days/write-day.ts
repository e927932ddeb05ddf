import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails, DayFigures, Provenance } from '../../figures/day-figures.ts';
import { integer, optionalInteger } from '../attributes/shared-attributes.ts';
import type { DayRevision } from '../table/keys.ts';
import {
  type ChainStore,
  type Condition,
  chainStore,
  isNew,
  isUnchanged,
  type Table,
} from '../table/table.ts';
import { type StoredDay, toDayItem } from './day-item.ts';
import { putDetails } from './details.ts';
import { noteUnpriced, saveUnsentEvent } from './notes.ts';

/** The version of a day's item that was read. */
export interface DayVersion extends DayRevision {
  /** Counts the additions to this revision; absent before the first. */
  readonly amendments?: number | undefined;
}

export const versionShape = { revision: integer, amendments: optionalInteger };

type ItemVersion = Omit<DayVersion, 'day'>;

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
  item: { readonly date: UtcDay; readonly revision: number },
  condition: Condition,
  { details, isPriceable = true, isNews = true }: Notes,
): Promise<boolean> {
  const of = { day: item.date, revision: item.revision };
  if (details) await putDetails(store, of, details);
  if (isPriceable) await noteUnpriced(store, of);
  if (isNews) await saveUnsentEvent(store, of);
  return store.table.putIf({ ...item, chain: store.chain }, condition);
}

/** Stores the figures of a final or an archived day, unless the day is stored already. */
export const putDay = (
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance,
  details?: DayDetails,
): Promise<boolean> =>
  writeDay(store, toDayItem(figures, provenance, 1, details), isNew, {
    details,
    isPriceable: provenance.archive === undefined,
  });

/**
 * Replaces the stored revision of a day by a copy from another table.
 * @param before the stored revision, or 0 when none is stored
 * @param details undefined when the day was imported without them
 */
export const putStoredDay = (
  table: Table,
  day: StoredDay,
  before: number,
  details?: DayDetails,
  isNews = true,
): Promise<boolean> =>
  writeDay(chainStore(table, day.chain), day, isUnchanged('revision', before), {
    details,
    isPriceable:
      details?.dollars !== undefined && day.price === undefined && day.unpriced_reason === undefined,
    isNews,
  });
