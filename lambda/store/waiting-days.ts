import * as z from 'zod/mini';
import type { BlockRef } from '../chains/block.ts';
import { DEFINITION_VERSION } from '../chains/definition.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import { blockRefShape, integer } from './attributes.ts';
import type { ChainReader, ChainStore } from './chain-store.ts';
import { decodeProgress, type Progress, toProgressAttributes } from './checkpoint-item.ts';
import { dayOfCheckpoint, waitingKey, waitingRange } from './keys.ts';
import { queryItems } from './table.ts';

/** A day of which every block is read, and that becomes final once the day after it is. */
export interface WaitingDay {
  readonly progress: Progress;
  /** The first block of a later day. */
  readonly next: BlockRef;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const schema = z.object({
  date: z.string(),
  definition_version: integer,
  progress: z.unknown(),
  next_block: z.object(blockRefShape),
  waiting_since: z.iso.datetime(),
});

export async function putWaitingDay(store: ChainStore, { progress, next, since }: WaitingDay): Promise<void> {
  await store.table.putIf({
    ...waitingKey(store, progress.day),
    definition_version: DEFINITION_VERSION,
    progress: toProgressAttributes(progress),
    next_block: { number: next.number, hash: next.hash },
    waiting_since: new Date(since).toISOString(),
  });
}

export const deleteWaitingDay = (store: ChainStore, day: UtcDay): Promise<void> =>
  store.table.deleteItem(waitingKey(store, day));

/** Lists the waiting days, the earliest first. Those of another version of the definitions are not among them: they are read again. */
export async function listWaitingDays(store: ChainReader): Promise<WaitingDay[]> {
  const items = await queryItems(store.table, { ...waitingRange(store), ConsistentRead: true });
  return items.flatMap((value) => {
    const item = schema.parse(value);
    const progress =
      item.definition_version === DEFINITION_VERSION
        ? decodeProgress(dayOfCheckpoint(item.date), item.progress)
        : undefined;
    return progress ? [{ progress, next: item.next_block, since: Date.parse(item.waiting_since) }] : [];
  });
}
