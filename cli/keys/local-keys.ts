import { documentTable } from '../../core/store/table/document-table.ts';
import { KEYS_TABLE_NAME } from '../../local/embedded-table.ts';
import {
  addKey,
  ENVIRONMENT_KEY,
  idOf,
  type LocalKey,
  listKeys,
  readCounts,
  setKeyEnabled,
} from '../../local/keys.ts';
import { configOf } from '../deployed-service.ts';
import { findLocalService } from '../local-service.ts';
import type { DayUsage, Key, Keys } from './keys.ts';

/** Finds the keys that the gateway on this machine reads on each request. @throws CommandError when no service runs */
export async function findLocalKeys(): Promise<Keys> {
  const { title, flags, table } = await findLocalService();
  const keys = documentTable(table.client, KEYS_TABLE_NAME);
  // The service on this machine has the tiers of this stage.
  const { tiers } = configOf('dev');
  const hashesById = async () => new Map((await listKeys(keys)).map((key) => [idOf(key), key.hash]));
  return {
    title,
    flags,
    tiers: Object.entries(tiers).map(([name, limits]) => ({ name, limits })),
    builtIn: [{ id: ENVIRONMENT_KEY, name: ENVIRONMENT_KEY }],
    list: async () => (await listKeys(keys)).map(keyOf),
    issue: async (request) => {
      const { key, value } = await addKey(keys, request);
      return { key: keyOf(key), value };
    },
    setEnabled: async ({ id }, enabled) => setKeyEnabled(keys, (await hashesById()).get(id) ?? id, enabled),
    usage: async (selected, range) => {
      const hashes = await hashesById();
      const usages = selected.map(async ({ id }): Promise<[string, DayUsage[]]> => {
        return [id, await readCounts(keys, hashes.get(id) ?? id, range)];
      });
      return new Map(await Promise.all(usages));
    },
  };
}

const keyOf = ({ hash, ...key }: LocalKey): Key => ({ id: idOf({ hash }), ...key });
