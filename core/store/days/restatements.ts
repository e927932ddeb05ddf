import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails, DayFigures, Provenance, Restatement } from '../../figures/day-figures.ts';
import { optionalInteger } from '../attributes/shared-attributes.ts';
import { decodeItem, readItem } from '../table/decode-item.ts';
import { dayKey } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';
import { differingParts, partsOfDay } from './compare-figures.ts';
import { figuresOf, figuresSchema, toDayItem } from './day-item.ts';
import { isStill, versionShape, writeDay } from './write-day.ts';

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
 * @returns false when another writer changed the day meanwhile
 */
export async function replaceDay(
  store: ChainStore,
  figures: DayFigures,
  provenance: Provenance,
  restatement: Restatement,
  details?: DayDetails,
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
  return writeDay(store, item, isStill(old), { details });
}

/**
 * Reads the state of a restatement from its day.
 * @returns `open` until the day is replaced, then `done`; `void` if the day is not final
 */
export async function restatementState(
  store: ChainReader,
  day: UtcDay,
  restatement: Restatement,
): Promise<'open' | 'void' | 'done'> {
  const stored = await readItem(restatedDaySchema, store, dayKey(store, day));
  if (!stored) return 'void';
  return isDone(stored, restatement) ? 'done' : 'open';
}
