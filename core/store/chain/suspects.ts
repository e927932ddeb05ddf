import * as z from 'zod/mini';
import { decodeItem } from '../table/decode-item.ts';
import { suspectKey, suspectRange } from '../table/keys.ts';
import { type ChainReader, type ChainStore, queryItems } from '../table/table.ts';

/** A process that reads a big response of an endpoint, or crashed while it did. */
export interface Suspect {
  readonly host: string;
  /** ID of the process, which deletes only its own items. */
  readonly process: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const suspectSchema = z.object({ host: z.string(), process: z.string(), since: z.iso.datetime() });

export async function saveSuspect(store: ChainStore, suspect: Suspect): Promise<void> {
  const since = new Date(suspect.since).toISOString();
  await store.table.putIf({ ...suspectKey(store, suspect), ...suspect, since });
}

export const deleteSuspect = (store: ChainStore, suspect: Suspect): Promise<void> =>
  store.table.deleteItem(suspectKey(store, suspect));

export async function listSuspects(store: ChainReader): Promise<Suspect[]> {
  const items = await queryItems(store.table, suspectRange(store));
  return items.map((item) => {
    const suspect = decodeItem(suspectSchema, store.chain, item);
    return { ...suspect, since: Date.parse(suspect.since) };
  });
}
