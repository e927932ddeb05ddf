import * as z from 'zod/mini';
import { addDays, type UtcDay } from '../figures/calendar.ts';
import { decodeItem } from './decode-item.ts';
import { CONFLICT, conflictKey, conflictRange } from './keys.ts';
import { type ChainReader, type ChainStore, type Item, isNew, queryItems } from './table.ts';

/** A contradiction between final figures and what endpoints report. It stays until someone settles it. */
export interface OpenConflict {
  /** The day whose figures may be wrong; absent while hosts dispute which block is final. */
  readonly day?: UtcDay | undefined;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const conflictSchema = z.object({ day: z.optional(z.string()), reason: z.string(), since: z.iso.datetime() });

/** Saves a conflict, unless one of the same day is open. */
export async function saveConflict(store: ChainStore, { day, reason, since }: OpenConflict): Promise<void> {
  const item = { ...(day !== undefined && { day }), reason, since: new Date(since).toISOString() };
  await store.table.putIf({ ...conflictKey(store, day), ...item }, isNew);
}

/** Lists the open conflicts, the dispute about the final block last. */
export async function listConflicts(store: ChainReader): Promise<OpenConflict[]> {
  const items = await queryItems(store.table, conflictRange(store));
  return items.map((item) => decodeConflict(store.chain, item));
}

/** @throws InvalidItemError */
export function decodeConflict(chain: string, item: unknown): OpenConflict {
  const conflict = decodeItem(conflictSchema, chain, item);
  return { ...conflict, since: Date.parse(conflict.since) };
}

/** Returns whether an item is a conflict, by its sort key. */
export const isConflict = ({ date }: Item): boolean => String(date).startsWith(CONFLICT);

/** Settles the conflict of a day, or the dispute about the final block. */
export const settleConflict = (store: ChainStore, day: UtcDay | undefined): Promise<void> =>
  store.table.deleteItem(conflictKey(store, day));

/** Settles the conflicts that a replaced day may have caused: its own, and those at its borders. */
export async function settleConflictsAround(store: ChainStore, day: UtcDay): Promise<void> {
  const around = [-1, 0, 1].map((distance) => addDays(day, distance));
  const caused = (await listConflicts(store)).filter((conflict) => around.includes(conflict.day ?? ''));
  for (const conflict of caused) await settleConflict(store, conflict.day);
}
