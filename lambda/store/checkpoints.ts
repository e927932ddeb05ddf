import * as z from 'zod/mini';
import type { BlockRef, KnownBlock } from '../chains/block.ts';
import { DEFINITION_VERSION } from '../chains/definition.ts';
import type { Totals } from '../chains/totals.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import {
  blockRefSchema,
  integer,
  totalsFromAttributes,
  totalsShape,
  totalsToAttributes,
} from './attributes.ts';
import type { ChainStore } from './chain-store.ts';
import { deleteItem, getItem, isNew, isUnchanged, putIf, queryItems } from './table.ts';

/** How far the blocks of a day are read: all that a later run needs in order to go on. */
export interface Progress {
  readonly day: UtcDay;
  /** The day's first block; absent until one is read. */
  readonly first?: BlockRef | undefined;
  /** The last block read, of this day or, before its first, of an earlier one; absent only before genesis. */
  readonly last?: KnownBlock | undefined;
  /** Timestamp, seconds, that the next block may not be older than. */
  readonly notBefore: number;
  readonly totals: Totals;
  /** Hosts of the endpoints that gave the blocks, sorted. */
  readonly hosts: readonly string[];
}

/** What the progress of a day is saved as: on the first reading of a day, or on one that was asked for on purpose. */
export interface Checkpoint {
  readonly day: UtcDay;
  /** Counts the saves, 0 before the first: a save is made only on top of the one before. */
  readonly sequence: number;
  /** Absent when there is none, or none under the definitions of today. */
  readonly progress?: Progress | undefined;
  readonly restatement?: Restatement | undefined;
}

/** Why a final day is read again. */
export interface Restatement {
  readonly reason: string;
  /** ISO 8601. With the reason it tells one restatement from another, so that context twice for the same is harmless. */
  readonly requestedAt: string;
  /** Whether only runs that are asked for this very day work on it: somebody reads it from nodes of their own. */
  readonly isByHand?: boolean | undefined;
}

/** They lie apart, so that what a first reading left behind is never taken for part of a second. */
const keyOf = ({ chain }: ChainStore, { day, restatement }: Pick<Checkpoint, 'day' | 'restatement'>) => ({
  chain,
  date: `${restatement ? RESTATEMENT : 'progress#'}${day}`,
});

const RESTATEMENT = 'restatement#';

const seenBlockSchema = z.object({
  ...blockRefSchema.shape,
  timestamp: z.optional(integer),
  host: z.optional(z.string()),
});

const progressSchema = z.object({
  first_block: z.optional(blockRefSchema),
  last_block: z.optional(seenBlockSchema),
  not_before: integer,
  endpoint_hosts: z.array(z.string()),
  ...totalsShape,
});

const checkpointSchema = z.object({
  date: z.string(),
  sequence: integer,
  definition_version: integer,
  progress: z.optional(z.unknown()),
  reason: z.optional(z.string()),
  requested_at: z.optional(z.string()),
  is_by_hand: z.optional(z.boolean()),
});

function fromItem(item: unknown): Checkpoint {
  const { date, sequence, definition_version, reason, requested_at, is_by_hand, ...rest } =
    checkpointSchema.parse(item);
  // Progress that does not decode, of another version perhaps, is none: the day is begun anew.
  const progress = progressSchema.safeParse(rest.progress).data;
  const day = date.slice(date.indexOf('#') + 1);
  return {
    day,
    sequence,
    progress:
      progress && definition_version === DEFINITION_VERSION
        ? {
            day,
            first: progress.first_block,
            last: progress.last_block,
            notBefore: progress.not_before,
            totals: totalsFromAttributes(progress),
            hosts: progress.endpoint_hosts,
          }
        : undefined,
    restatement:
      reason !== undefined && requested_at !== undefined
        ? { reason, requestedAt: requested_at, isByHand: is_by_hand }
        : undefined,
  };
}

const toItem = (store: ChainStore, { sequence, progress, ...checkpoint }: Checkpoint) => ({
  ...keyOf(store, checkpoint),
  sequence,
  definition_version: DEFINITION_VERSION,
  progress: progress && {
    first_block: progress.first,
    last_block: progress.last,
    not_before: progress.notBefore,
    endpoint_hosts: progress.hosts,
    ...totalsToAttributes(progress.totals),
  },
  reason: checkpoint.restatement?.reason,
  requested_at: checkpoint.restatement?.requestedAt,
  is_by_hand: checkpoint.restatement?.isByHand,
});

/** The checkpoint of the first reading of a day. */
export async function getCheckpoint(store: ChainStore, day: UtcDay): Promise<Checkpoint> {
  const item = await getItem(store.table, keyOf(store, { day }));
  return item ? fromItem(item) : { day, sequence: 0 };
}

/**
 * Saves progress on top of the checkpoint that it started from.
 * @param progress undefined when what there is turned out to be worthless, and the day is to be begun anew
 * @returns the new checkpoint, or undefined when another run has saved or finished the day since: what that run did stands
 */
export async function saveCheckpoint(
  store: ChainStore,
  before: Checkpoint,
  progress: Progress | undefined,
): Promise<Checkpoint | undefined> {
  const next = { ...before, sequence: before.sequence + 1, progress };
  const isSaved = await putIf(store.table, toItem(store, next), isUnchanged('sequence', before.sequence));
  return isSaved ? next : undefined;
}

/** Removes a checkpoint; of a restatement only that one, and not another that was asked for since. */
export function deleteCheckpoint(
  store: ChainStore,
  checkpoint: Pick<Checkpoint, 'day' | 'restatement'>,
): Promise<void> {
  const { restatement } = checkpoint;
  return deleteItem(
    store.table,
    keyOf(store, checkpoint),
    restatement && {
      ConditionExpression: 'reason = :reason AND requested_at = :time',
      ExpressionAttributeValues: { ':reason': restatement.reason, ':time': restatement.requestedAt },
    },
  );
}

/**
 * Asks for a final day to be read again; runs do so until they have, however many that takes.
 * @returns false when the day is being restated already
 */
export const requestRestatement = (
  store: ChainStore,
  day: UtcDay,
  restatement: Restatement,
): Promise<boolean> => putIf(store.table, toItem(store, { day, sequence: 1, restatement }), isNew);

/**
 * The days that are to be read again, the earliest first, with how far that is.
 * @param day only this one
 */
export async function listRestatements(store: ChainStore, day: UtcDay = ''): Promise<Checkpoint[]> {
  const items = await queryItems(store.table, {
    KeyConditionExpression: 'chain = :chain AND begins_with(#date, :prefix)',
    ExpressionAttributeNames: { '#date': 'date' },
    ExpressionAttributeValues: { ':chain': store.chain, ':prefix': `${RESTATEMENT}${day}` },
    ConsistentRead: true,
  });
  return items.map(fromItem);
}
