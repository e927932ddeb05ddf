import * as z from 'zod/mini';
import { integer } from '../attributes/shared-attributes.ts';
import { jsonText, readItem } from '../table/decode-item.ts';
import { itemKey } from '../table/keys.ts';
import { type ChainReader, type ChainStore, isUnchanged } from '../table/table.ts';

/**
 * The newest block that a chain has proven to be final, and the state that is needed to prove the next one. Lazy, because few requests to
 * the API need it, and a schema takes time in the cold start of a query function.
 */
const stateSchema = z.lazy(() => {
  const block = z.object({ number: z.int(), hash: z.string() });
  const set = z.object({
    epochBlock: z.int(),
    from: z.int(),
    to: z.int(),
    voteKeys: z.readonly(z.array(z.string())),
  });
  return z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('sync committee'),
      slot: z.int(),
      root: z.string(),
      block: z.object({ hash: z.string(), number: z.optional(z.int()) }),
      committee: z.string(),
      nextCommittee: z.optional(z.string()),
    }),
    z.object({
      kind: z.literal('fast finality'),
      block,
      votes: z.optional(z.object({ source: block, target: block })),
      seenAt: z.int(),
      sets: z.readonly(z.array(set)),
    }),
  ]);
});

export type FinalityState = z.output<typeof stateSchema>;

/** The state of a chain, with a counter of the saves for an optimistic lock; 0 before the first. */
export interface StoredFinality {
  readonly sequence: number;
  /** The hash of the block from which the state began. It is configured, or hosts agreed on it. */
  readonly checkpoint?: string | undefined;
  readonly state?: FinalityState | undefined;
}

const schema = z.object({
  sequence: integer,
  checkpoint: z.string(),
  // Stored as JSON, because only this module reads its members.
  state: jsonText(stateSchema),
});

export const getFinality = async (store: ChainReader): Promise<StoredFinality> =>
  (await readItem(schema, store, itemKey(store, 'finality'))) ?? { sequence: 0 };

/** Saves a state, with an optimistic lock on the one from which it continues. @returns undefined when another run was faster */
export async function saveFinality(
  store: ChainStore,
  before: StoredFinality,
  checkpoint: string,
  state: FinalityState,
): Promise<StoredFinality | undefined> {
  const after = { sequence: before.sequence + 1, checkpoint };
  const item = { ...itemKey(store, 'finality'), ...after, state: JSON.stringify(state) };
  const isSaved = await store.table.putIf(item, isUnchanged('sequence', before.sequence));
  return isSaved ? { ...after, state } : undefined;
}

/** Deletes a state, unless another run saved a later one. */
export const deleteFinality = (store: ChainStore, { sequence }: StoredFinality): Promise<void> =>
  store.table.deleteItem(itemKey(store, 'finality'), isUnchanged('sequence', sequence));
