import * as z from 'zod/mini';
import type { Finality } from '../../figures/block.ts';
import type { UtcDay } from '../../figures/calendar.ts';
import {
  type BlockEvidence,
  blockEvidences,
  DEFINITION_VERSION,
  type Restatement,
} from '../../figures/day-figures.ts';
import type { DayProgress } from '../../figures/progress.ts';
import { finalityOf, finalityShape, toFinalityAttributes } from '../attributes/day-attributes.ts';
import { integer } from '../attributes/shared-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { dayKey, dayOfKey, itemKey, kindRange } from '../table/keys.ts';
import {
  type ChainReader,
  type ChainStore,
  isNew,
  isUnchanged,
  queryItems,
  type Write,
} from '../table/table.ts';
import { decodeProgress, savedShape, toProgressAttributes } from './progress-attributes.ts';

/** The saved progress of reading a day, for the first time or for a restatement. */
export interface Checkpoint {
  readonly day: UtcDay;
  /** Increases with each save, for an optimistic lock; 0 before the first. */
  readonly sequence: number;
  /** Absent if nothing is read yet, or if the progress follows other rules or definitions than this version. */
  readonly progress?: DayProgress | undefined;
  /** The sums of the last anchored block, to which the day returns after a contradiction; absent when no block is anchored. */
  readonly anchored?: DayProgress | undefined;
  /** The sums that may be shown to others; absent when no counted block is final yet. */
  readonly final?: FinalSums | undefined;
  readonly restatement?: Restatement | undefined;
  /** The reason and the time of a refusal of the next block, if it follows no known rule. Saving more progress drops it. */
  readonly refusal?: z.output<typeof checkpointSchema>['refusal'];
}

/**
 * The sums through a block that is final, which later ones only add to: where the chain proves finality, that block is proven, and an anchored
 * one may be later and rest on the votes of hosts.
 */
export interface FinalSums {
  readonly progress: DayProgress;
  readonly finality: Finality;
  /** `proven` if hashes prove every block, and the time of the one before the day. */
  readonly evidence: BlockEvidence;
  /** Time of the newest final block that the run knew, in seconds. */
  readonly headTime: number;
}

const checkpointSchema = z.object({
  ...savedShape,
  sequence: integer,
  // True if it equals `progress`.
  anchored: z.optional(z.unknown()),
  final: z.optional(
    z.object({
      // The name of the attribute that it equals, if any.
      progress: z.unknown(),
      evidence: z.enum(blockEvidences),
      head_time: integer,
      ...finalityShape,
    }),
  ),
  reason: z.optional(z.string()),
  requested_at: z.optional(z.string()),
  is_by_hand: z.optional(z.boolean()),
  refusal: z.optional(z.object({ reason: z.string(), at: z.iso.datetime() })),
});

type OfCheckpoint = Pick<Checkpoint, 'day' | 'restatement'>;

/** A restatement has its own key, so that it never continues from the progress of a first reading. */
const keyOf = (store: ChainReader, { day, restatement }: OfCheckpoint) =>
  itemKey(store, restatement ? 'restatement' : 'progress', day);

const toItem = (store: ChainReader, checkpoint: Checkpoint) => {
  const { sequence, progress, anchored, final, restatement, refusal } = checkpoint;
  return {
    ...keyOf(store, checkpoint),
    sequence,
    definition_version: DEFINITION_VERSION,
    progress: progress && toProgressAttributes(store, progress),
    anchored: anchored && (anchored === progress || toProgressAttributes(store, anchored)),
    final: final && {
      progress:
        final.progress === progress
          ? 'progress'
          : final.progress === anchored
            ? 'anchored'
            : toProgressAttributes(store, final.progress),
      evidence: final.evidence,
      head_time: final.headTime,
      ...toFinalityAttributes(final.finality),
    },
    reason: restatement?.reason,
    requested_at: restatement?.requestedAt,
    is_by_hand: restatement?.isByHand,
    refusal,
  };
};

export function decodeCheckpoint(
  store: Omit<ChainReader, 'table'>,
  value: Record<string, unknown>,
): Checkpoint {
  const item = decodeItem(checkpointSchema, store.chain, value);
  const { reason, requested_at: requestedAt, is_by_hand: isByHand } = item;
  const progress = decodeProgress(store, item);
  const anchored =
    item.anchored === true ? progress : decodeProgress(store, { ...item, progress: item.anchored });
  return {
    day: dayOfKey(item.date),
    sequence: item.sequence,
    progress,
    anchored,
    final: decodeFinal(store, item, { progress, anchored }),
    restatement:
      reason !== undefined && requestedAt !== undefined ? { reason, requestedAt, isByHand } : undefined,
    refusal: item.refusal,
  };
}

function decodeFinal(
  store: Pick<ChainReader, 'rules'>,
  item: z.output<typeof checkpointSchema>,
  { progress, anchored }: Pick<Checkpoint, 'progress' | 'anchored'>,
): FinalSums | undefined {
  const { final } = item;
  if (!final) return undefined;
  const sums =
    final.progress === 'progress'
      ? progress
      : final.progress === 'anchored'
        ? anchored
        : decodeProgress(store, { ...item, progress: final.progress });
  const { evidence, head_time: headTime } = final;
  return sums && { progress: sums, finality: finalityOf(final), evidence, headTime };
}

/** Reads the checkpoint of a day's first reading. */
export async function getCheckpoint(store: ChainReader, day: UtcDay): Promise<Checkpoint> {
  const item = await store.table.getItem(itemKey(store, 'progress', day));
  return item ? decodeCheckpoint(store, item) : { day, sequence: 0 };
}

const listOf =
  (kind: 'progress' | 'restatement') =>
  async (store: ChainReader, day?: UtcDay): Promise<Checkpoint[]> => {
    const items = await queryItems(store.table, kindRange(store, kind, day));
    return items.map((item) => decodeCheckpoint(store, item));
  };

/** Lists the checkpoints of days that are not final, the earliest day first. */
export const listCheckpoints = listOf('progress');

/** Lists the requested restatements with their progress, the earliest day first. All days when `day` is absent. */
export const listRestatements = listOf('restatement');

/** Returns the request to restate a final day. Runs work on it until it is done. The write is refused when one of the day is open already. */
export const restatementRequest = (store: ChainReader, day: UtcDay, restatement: Restatement): Write => ({
  // Requests count from different numbers, so that no run of an earlier one overwrites a later one.
  put: toItem(store, { day, sequence: Date.parse(restatement.requestedAt), restatement }),
  condition: isNew,
});

/** Requests the restatement of a final day. @returns false when one of the day is open already */
export const requestRestatement = (
  store: ChainStore,
  day: UtcDay,
  restatement: Restatement,
): Promise<boolean> => store.table.commit([restatementRequest(store, day, restatement)]);

/**
 * Saves progress, with an optimistic lock on the checkpoint that it continues from.
 * @param sums without progress to discard it, so that the day starts over
 * @returns the new checkpoint, or undefined when another run saved or completed the day since
 */
export async function saveCheckpoint(
  store: ChainStore,
  before: Checkpoint,
  { progress, anchored, final, refusal }: Omit<Checkpoint, 'day' | 'sequence' | 'restatement'>,
): Promise<Checkpoint | undefined> {
  const next = { ...before, sequence: before.sequence + 1, progress, anchored, final, refusal };
  const put: Write = { put: toItem(store, next), condition: isUnchanged('sequence', before.sequence) };
  // A run that is late begins no day that another has published meanwhile.
  const isBegun = before.sequence > 0 || before.restatement;
  const isSaved = await store.table.commit(isBegun ? [put] : [put, isNotFinal(store, before.day)]);
  return isSaved ? next : undefined;
}

/** Refuses a commit if a day is final. */
export const isNotFinal = (store: ChainReader, day: UtcDay): Write => ({
  check: dayKey(store, day),
  condition: {
    ConditionExpression: 'attribute_not_exists(evidence) OR evidence = :archived',
    ExpressionAttributeValues: { ':archived': 'archived' },
  },
});

/** Returns the deletion of a checkpoint. That of a restatement stays when it belongs to a later request: the commit is refused then. */
export const deletedCheckpoint = (store: ChainReader, of: OfCheckpoint): Write => ({
  delete: keyOf(store, of),
  condition: of.restatement && {
    ConditionExpression: 'reason = :reason AND requested_at = :time',
    ExpressionAttributeValues: { ':reason': of.restatement.reason, ':time': of.restatement.requestedAt },
  },
});

/** Deletes a checkpoint, unless it belongs to a later request. */
export const deleteCheckpoint = (store: ChainStore, of: OfCheckpoint): Promise<boolean> =>
  store.table.commit([deletedCheckpoint(store, of)]);
