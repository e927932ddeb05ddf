import * as z from 'zod/mini';
import { integer } from '../attributes/shared-attributes.ts';
import { readItem } from '../table/decode-item.ts';
import { itemKey } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';

/** The distance between the ingest and its chain, as of the last scheduled run. */
const lagSchema = z.object({
  /** Seconds from the newest counted block to the newest finalized one; absent while no run has measured it. */
  seconds_behind: z.optional(integer),
  /** Time at which the run that measured it ended. */
  seen_at: z.iso.datetime(),
  /** The reason why the last run failed; absent when it did not. */
  problem: z.optional(z.string()),
});

export type Lag = z.output<typeof lagSchema>;

export const saveLag = (store: ChainStore, lag: Lag): Promise<boolean> =>
  store.table.putIf({ ...itemKey(store, 'lag'), ...lag });

export const getLag = (store: ChainReader): Promise<Lag | undefined> =>
  readItem(lagSchema, store, itemKey(store, 'lag'));
