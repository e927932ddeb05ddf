import * as z from 'zod/mini';
import { integer } from '../attributes/shared-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { lagKey } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';

/** The distance between the ingest and its chain, as of the last scheduled run. */
export interface Lag {
  /** Seconds from the newest counted block to the newest finalized one; absent while no run has measured it. */
  readonly seconds?: number | undefined;
  /** Time at which the run that measured it ended, in milliseconds since 1970. */
  readonly seenAt: number;
  /** The reason why the last run failed; absent when it did not. */
  readonly problem?: string | undefined;
}

const lagSchema = z.object({
  seconds_behind: z.optional(integer),
  seen_at: z.iso.datetime(),
  problem: z.optional(z.string()),
});

export async function saveLag(store: ChainStore, { seconds, seenAt, problem }: Lag): Promise<void> {
  const item = { seconds_behind: seconds, seen_at: new Date(seenAt).toISOString(), problem };
  await store.table.putIf({ ...lagKey(store), ...item });
}

export async function getLag(store: ChainReader): Promise<Lag | undefined> {
  const item = await store.table.getItem(lagKey(store));
  if (!item) return undefined;
  const { seconds_behind, seen_at, problem } = decodeItem(lagSchema, store.chain, item);
  return { seconds: seconds_behind, seenAt: Date.parse(seen_at), problem };
}
