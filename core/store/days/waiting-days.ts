import * as z from 'zod/mini';
import type { BlockRef } from '../../figures/block.ts';
import type { UtcDay } from '../../figures/calendar.ts';
import { DEFINITION_VERSION } from '../../figures/day-figures.ts';
import type { DayProgress } from '../../figures/progress.ts';
import { blockRefShape, timestamp } from '../attributes/shared-attributes.ts';
import { readItems } from '../table/decode-item.ts';
import { dayOfKey, itemKey, kindRange } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';
import { decodeProgress, savedShape, toProgressAttributes } from './checkpoints.ts';

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

export const putWaitingDay = (store: ChainStore, { progress, next, since }: WaitingDay): Promise<boolean> =>
  store.table.putIf({
    ...itemKey(store, 'waiting', progress.day),
    definition_version: DEFINITION_VERSION,
    progress: toProgressAttributes(store, progress),
    next_block: { number: next.number, hash: next.hash, host: next.host },
    waiting_since: new Date(since).toISOString(),
  });

/** Notes that a day must be read again. The note stays until the day is final, so that no run forgets a day of a backfill. */
export const discardWaitingDay = (store: ChainStore, day: UtcDay): Promise<boolean> =>
  store.table.putIf({ ...itemKey(store, 'waiting', day), definition_version: DEFINITION_VERSION });

export const deleteWaitingDay = (store: ChainStore, day: UtcDay): Promise<void> =>
  store.table.deleteItem(itemKey(store, 'waiting', day));

/** Lists the waiting days, the earliest first, without those of other rules or definitions, which are read again. */
export const listWaitingDays = async (store: ChainReader): Promise<WaitingDay[]> =>
  (await listWaitingItems(store)).flatMap(({ waiting }) => waiting ?? []);

/** Lists the days that waited and must be read again, the earliest first. */
export const listDiscardedDays = async (store: ChainReader): Promise<UtcDay[]> =>
  (await listWaitingItems(store)).flatMap(({ day, waiting }) => (waiting ? [] : day));

/** Lists the items of days that wait, and of those that must be read again. */
export async function listWaitingItems(store: ChainReader) {
  const items = await readItems(schema, store, kindRange(store, 'waiting'));
  return items.map((item) => {
    const progress = decodeProgress(store, item);
    const { next_block: next, waiting_since: since } = item;
    const waiting = progress && next && since !== undefined ? { progress, next, since } : undefined;
    return { day: dayOfKey(item.date), waiting };
  });
}
