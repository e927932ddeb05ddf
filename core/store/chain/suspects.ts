import * as z from 'zod/mini';
import { timestamp } from '../attributes/shared-attributes.ts';
import { readItems } from '../table/decode-item.ts';
import { itemKey, kindRange } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';

/** An endpoint that gave a wrong block, or whose big response a process is reading, or crashed while it read. */
const suspectSchema = z.object({
  host: z.string(),
  /** ID of the process, which deletes only its own items; or `not canonical` for a wrong block. */
  process: z.string(),
  since: timestamp,
});

type Suspect = z.output<typeof suspectSchema>;

const keyOf = (store: ChainStore, { host, process }: Suspect) =>
  itemKey(store, 'suspect', `${host}#${process}`);

export async function saveSuspect(store: ChainStore, suspect: Suspect): Promise<void> {
  const since = new Date(suspect.since).toISOString();
  await store.table.putIf({ ...keyOf(store, suspect), ...suspect, since });
}

/** Deletes a suspect, unless it was saved again meanwhile. */
export const deleteSuspect = (store: ChainStore, suspect: Suspect): Promise<void> =>
  store.table.deleteItem(keyOf(store, suspect), {
    ConditionExpression: 'since = :since',
    ExpressionAttributeValues: { ':since': new Date(suspect.since).toISOString() },
  });

export const listSuspects = (store: ChainReader): Promise<Suspect[]> =>
  readItems(suspectSchema, store, kindRange(store, 'suspect'));
