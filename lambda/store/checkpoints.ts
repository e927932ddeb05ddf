import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { BlockRef } from '../chains/block.ts';
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
import { answerOf, isUnchanged, putIf, type Table } from './table.ts';

/** How far the blocks of a day are read: all that a later run needs in order to go on. */
export interface Progress {
  readonly day: UtcDay;
  /** The day's first block; absent until one is read. */
  readonly first?: BlockRef | undefined;
  /** The last block read, of this day or, before its first, of an earlier one; absent only before genesis. */
  readonly last?: BlockRef | undefined;
  /** Timestamp, seconds, that the next block may not be older than. */
  readonly notBefore: number;
  readonly totals: Totals;
}

export interface Checkpoint {
  /** Counts the saves of this day, 0 before the first: a save is made only on top of the one before. */
  readonly sequence: number;
  /** Absent when there is none, or none under the definitions of today. */
  readonly progress?: Progress;
}

const keyOf = (chain: string, day: UtcDay) => ({ chain, date: `progress#${day}` });

const checkpointSchema = z.object({
  sequence: integer,
  definition_version: integer,
  first_block: z.optional(blockRefSchema),
  last_block: z.optional(blockRefSchema),
  not_before: integer,
  ...totalsShape,
});

export async function getCheckpoint(table: Table, chain: string, day: UtcDay): Promise<Checkpoint> {
  const get = new GetCommand({ TableName: table.name, Key: keyOf(chain, day), ConsistentRead: true });
  const { Item } = await answerOf(table.client.send(get));
  if (!Item) return { sequence: 0 };
  const { sequence, definition_version, first_block, last_block, not_before, ...totals } =
    checkpointSchema.parse(Item);
  if (definition_version !== DEFINITION_VERSION) return { sequence };
  return {
    sequence,
    progress: {
      day,
      first: first_block,
      last: last_block,
      notBefore: not_before,
      totals: totalsFromAttributes(totals),
    },
  };
}

/**
 * Saves progress on top of the checkpoint it started from.
 * @param before the sequence of that checkpoint
 * @returns false when another run has saved or finished the day since: what that run did stands
 */
export function saveCheckpoint(
  table: Table,
  chain: string,
  progress: Progress,
  before: number,
): Promise<boolean> {
  const item = {
    ...keyOf(chain, progress.day),
    sequence: before + 1,
    definition_version: DEFINITION_VERSION,
    first_block: progress.first,
    last_block: progress.last,
    not_before: progress.notBefore,
    ...totalsToAttributes(progress.totals),
  };
  return putIf(table, item, isUnchanged('sequence', before));
}

export async function deleteCheckpoint(table: Table, chain: string, day: UtcDay): Promise<void> {
  const remove = new DeleteCommand({ TableName: table.name, Key: keyOf(chain, day) });
  await answerOf(table.client.send(remove));
}
