import * as z from 'zod/mini';
import { timestamp } from '../attributes/shared-attributes.ts';
import { readItems } from '../table/decode-item.ts';
import { itemKey, kindRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, isNew, type Write } from '../table/table.ts';

/** The words for conflicts that concern no day. */
export const FINAL_BLOCK = 'final-block';
export const FINALITY = 'finality';

/** A contradiction between final figures and what endpoints report. It stays until someone settles it. Lazy, since few requests read it. */
export const conflictSchema = z.lazy(() =>
  z.object({
    /** The day whose figures may be wrong; absent while hosts dispute which block is final. */
    day: z.optional(z.string()),
    /** Set instead of a day while the chain's own evidence of finality is missing. */
    about: z.optional(z.literal(FINALITY)),
    reason: z.string(),
    since: timestamp,
  }),
);

export type OpenConflict = z.output<typeof conflictSchema>;

type Subject = Pick<OpenConflict, 'day' | 'about'>;

/** Returns the day of a conflict, or the word for what it concerns. */
export const subjectOf = ({ day, about }: Subject): string => day ?? about ?? FINAL_BLOCK;

/** Saves a conflict, unless one about the same subject is open. For missing evidence of finality, the newest reason replaces the others. */
export async function saveConflict(store: ChainStore, conflict: OpenConflict): Promise<void> {
  const { day, about, reason, since } = conflict;
  const key = itemKey(store, 'conflict', subjectOf(conflict));
  const item = { ...key, day, about, reason, since: new Date(since).toISOString() };
  const isSaved = await store.table.putIf(item, isNew);
  if (isSaved || about === undefined) return;
  const open = await store.table.getItem(key);
  if (!open || open.reason === reason) return;
  // Unless it was settled meanwhile.
  await store.table.putIf(
    { ...open, reason },
    { ConditionExpression: 'since = :since', ExpressionAttributeValues: { ':since': open.since } },
  );
}

/** Returns the write of a conflict about a day. */
export const conflictWrite = (store: ChainReader, { day, reason, since }: OpenConflict): Write => ({
  put: { ...itemKey(store, 'conflict', day), day, reason, since: new Date(since).toISOString() },
});

export const deletedConflict = (store: ChainReader, subject: Subject): Write => ({
  delete: itemKey(store, 'conflict', subjectOf(subject)),
});

/** Lists the conflicts that nobody has settled, those that concern no day last. */
export const listConflicts = (store: ChainReader): Promise<OpenConflict[]> =>
  readItems(conflictSchema, store, kindRange(store, 'conflict'));

export const settleConflict = (store: ChainStore, subject: Subject): Promise<void> =>
  store.table.deleteItem(itemKey(store, 'conflict', subjectOf(subject)));

/** Closes the conflict about missing evidence of finality, if one is open. */
export async function settleFinality(store: ChainStore): Promise<void> {
  if (await store.table.getItem(itemKey(store, 'conflict', FINALITY)))
    await settleConflict(store, { about: FINALITY });
}
