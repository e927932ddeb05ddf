import * as z from 'zod/mini';
import type { BlockRef } from '../../figures/block.ts';
import type { UtcDay } from '../../figures/calendar.ts';
import { DEFINITION_VERSION } from '../../figures/day-figures.ts';
import type { DayProgress } from '../../figures/progress.ts';
import { blockRefShape, timestamp } from '../attributes/shared-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { dayOfKey, itemKey, kindRange } from '../table/keys.ts';
import { type ChainReader, type Item, queryItems, type Write } from '../table/table.ts';
import { decodeProgress, savedShape, toProgressAttributes } from './progress-attributes.ts';

/** A day whose blocks are all read. It becomes final once the day after it does. */
export interface WaitingDay {
  readonly progress: DayProgress;
  /** The first block of a later day, and the host that gave it. */
  readonly next: BlockRef & { readonly host?: string | undefined };
  /** Milliseconds since 1970. */
  readonly since: number;
}

const schema = z.object({
  ...savedShape,
  next_block: z.optional(z.object({ ...blockRefShape, host: z.optional(z.string()) })),
  waiting_since: z.optional(timestamp),
});

export const putWaitingDay = (store: ChainReader, { progress, next, since }: WaitingDay): Write => ({
  put: {
    ...itemKey(store, 'waiting', progress.day),
    definition_version: DEFINITION_VERSION,
    progress: toProgressAttributes(store, progress),
    next_block: { number: next.number, hash: next.hash, host: next.host },
    waiting_since: new Date(since).toISOString(),
  },
});

/** Returns the note that a day must be read again. It stays until the day is final, so that no run forgets a day of a backfill. */
export const discardWaitingDay = (store: ChainReader, day: UtcDay): Write => ({
  put: { ...itemKey(store, 'waiting', day), definition_version: DEFINITION_VERSION },
});

/** Lists the waiting days, the earliest first, without those of other rules or definitions, which are read again. */
export const listWaitingDays = async (store: ChainReader): Promise<WaitingDay[]> =>
  (await listWaitingItems(store)).flatMap(({ waiting }) => waiting ?? []);

/** Lists the days that waited and must be read again, the earliest first. */
export const listDiscardedDays = async (store: ChainReader): Promise<UtcDay[]> =>
  (await listWaitingItems(store)).flatMap(({ day, waiting }) => (waiting ? [] : day));

/** Lists the items of days that wait, and of those that must be read again. */
async function listWaitingItems(store: ChainReader) {
  const items = await queryItems(store.table, kindRange(store, 'waiting'));
  return items.map((item) => ({ day: dayOfKey(String(item.date)), waiting: decodeWaiting(store, item) }));
}

/** Decodes a day that waits. Returns undefined if it must be read again. */
export function decodeWaiting(store: ChainReader, given: Item): WaitingDay | undefined {
  const item = decodeItem(schema, store.chain, given);
  const progress = decodeProgress(store, item);
  const { next_block: next, waiting_since: since } = item;
  return progress && next && since !== undefined ? { progress, next, since } : undefined;
}
