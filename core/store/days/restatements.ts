import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails, DayFigures, Provenance, Restatement } from '../../figures/day-figures.ts';
import { integer } from '../attributes/shared-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { checkpointKey, dayKey, restatementRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, isNew, queryItems } from '../table/table.ts';
import { type Checkpoint, decodeCheckpoint, toCheckpointItem } from './checkpoint-item.ts';
import { differingParts, partsOfDay } from './compare-figures.ts';
import { decodeFigures, toDayItem } from './day-item.ts';
import { isStill, versionShape } from './day-version.ts';
import { putDetails } from './details.ts';
import { noteUnpriced } from './unpriced-days.ts';
import { saveUnsentEvent } from './unsent-events.ts';

/**
 * Requests the restatement of a final day. Runs work on it until the day is replaced.
 * @returns false when a restatement of the day is open already
 */
export function requestRestatement(
  store: ChainStore,
  day: UtcDay,
  restatement: Restatement,
): Promise<boolean> {
  const checkpoint = { day, sequence: 1, restatement };
  return store.table.putIf(
    { ...checkpointKey(store, checkpoint), ...toCheckpointItem(store, checkpoint) },
    isNew,
  );
}

/**
 * Lists the requested restatements with their progress, the earliest day first.
 * @param day all days when absent
 */
export async function listRestatements(store: ChainReader, day?: UtcDay): Promise<Checkpoint[]> {
  const items = await queryItems(store.table, restatementRange(store, day));
  return items.map((item) => decodeCheckpoint(store, item));
}

/** Keeps unknown attributes, because the whole item moves into `restated`. */
const restatedDaySchema = z.looseObject({
  chain: z.string(),
  date: z.string(),
  ...versionShape,
  restated: z._default(z.array(z.looseObject({ reason: z.string(), requested_at: z.string() })), []),
});

const isReplacedBy =
  ({ reason, requestedAt }: Restatement) =>
  (old: { reason: string; requested_at: string }): boolean =>
    old.reason === reason && old.requested_at === requestedAt;

const evidenceSchema = z.object({ evidence: z.string(), measures_version: z.optional(integer) });

/** Returns whether a final day has the same figures with measures, and evidence that is as good, so that it need not be replaced. */
export async function isUpToDate(
  store: ChainReader,
  figures: DayFigures,
  { evidence }: Provenance,
): Promise<boolean> {
  const stored = await store.table.getItem(dayKey(store, figures.day));
  if (!stored) return false;
  const known = decodeItem(evidenceSchema, store.chain, stored);
  const isAsGood = known.evidence === 'proven' || evidence === 'checked';
  const parts = partsOfDay(decodeFigures(store.chain, stored));
  return (
    isAsGood &&
    known.measures_version !== undefined &&
    differingParts(parts, partsOfDay(figures)).length === 0
  );
}

/**
 * Replaces the figures of a final day. The revision increases, and the old item is kept in the list `restated`, with the
 * reason and the time. First saves a note that its event is to be sent. Idempotent: a restatement that is already done
 * changes nothing.
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
  const { chain, date: _date, restated, ...old } = decodeItem(restatedDaySchema, store.chain, stored);
  if (restated.some(isReplacedBy(restatement))) return true;
  const revision = old.revision + 1;
  const { reason, requestedAt } = restatement;
  const restatedAt = provenance.ingestedAt.toISOString();
  const item = {
    chain,
    ...toDayItem(figures, provenance, revision, details),
    restated: [...restated, { ...old, reason, requested_at: requestedAt, restated_at: restatedAt }],
  };
  if (details) await putDetails(store, { day: figures.day, revision }, details);
  await noteUnpriced(store, { day: figures.day, revision });
  await saveUnsentEvent(store, { day: figures.day, revision });
  return store.table.putIf(item, isStill(old));
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
  const stored = await store.table.getItem(dayKey(store, day));
  if (!stored) return 'void';
  const { restated } = decodeItem(restatedDaySchema, store.chain, stored);
  return restated.some(isReplacedBy(restatement)) ? 'done' : 'open';
}
