import type { UtcDay } from '../../figures/calendar.ts';
import { checkpointKey, checkpointRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, isUnchanged, queryItems } from '../table/table.ts';
import { type Checkpoint, decodeCheckpoint, toCheckpointItem } from './checkpoint-item.ts';

/** Reads the checkpoint of a day's first reading. */
export async function getCheckpoint(store: ChainReader, day: UtcDay): Promise<Checkpoint> {
  const item = await store.table.getItem(checkpointKey(store, { day }));
  return item ? decodeCheckpoint(store, item) : { day, sequence: 0 };
}

/** Lists the checkpoints of days that are not final, the earliest day first. */
export async function listCheckpoints(store: ChainReader): Promise<Checkpoint[]> {
  const items = await queryItems(store.table, checkpointRange(store));
  return items.map((item) => decodeCheckpoint(store, item));
}

/**
 * Saves progress, with an optimistic lock on the checkpoint that it continues from.
 * @param sums without progress to discard it, so that the day starts over
 * @returns the new checkpoint, or undefined when another run saved or completed the day since
 */
export async function saveCheckpoint(
  store: ChainStore,
  before: Checkpoint,
  { progress, anchored, anchoredBy }: Pick<Checkpoint, 'progress' | 'anchored' | 'anchoredBy'>,
): Promise<Checkpoint | undefined> {
  const next = { ...before, sequence: before.sequence + 1, progress, anchored, anchoredBy };
  const item = { ...checkpointKey(store, next), ...toCheckpointItem(store, next) };
  const isSaved = await store.table.putIf(item, isUnchanged('sequence', before.sequence));
  return isSaved ? next : undefined;
}

/** Deletes a checkpoint. That of a restatement stays when it belongs to a later request. */
export function deleteCheckpoint(
  store: ChainStore,
  checkpoint: Pick<Checkpoint, 'day' | 'restatement'>,
): Promise<void> {
  const { restatement } = checkpoint;
  return store.table.deleteItem(
    checkpointKey(store, checkpoint),
    restatement && {
      ConditionExpression: 'reason = :reason AND requested_at = :time',
      ExpressionAttributeValues: { ':reason': restatement.reason, ':time': restatement.requestedAt },
    },
  );
}
