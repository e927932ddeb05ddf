import * as z from 'zod/mini';
import { decodeItem } from './decode-item.ts';
import { lagKey } from './keys.ts';
import { integer } from './shared-attributes.ts';
import type { ChainReader, ChainStore } from './table.ts';

/** The distance of the ingest to its chain, as of its last scheduled run. */
export interface Lag {
  /** Seconds from the newest counted block to the newest finalized one. */
  readonly seconds: number;
  /** Time at which the run ended, in milliseconds since 1970. */
  readonly seenAt: number;
}

const lagSchema = z.object({ seconds_behind: integer, seen_at: z.iso.datetime() });

export async function saveLag(store: ChainStore, { seconds, seenAt }: Lag): Promise<void> {
  const item = { seconds_behind: seconds, seen_at: new Date(seenAt).toISOString() };
  await store.table.putIf({ ...lagKey(store), ...item });
}

export async function getLag(store: ChainReader): Promise<Lag | undefined> {
  const item = await store.table.getItem(lagKey(store));
  if (!item) return undefined;
  const { seconds_behind, seen_at } = decodeItem(lagSchema, store.chain, item);
  return { seconds: seconds_behind, seenAt: Date.parse(seen_at) };
}
