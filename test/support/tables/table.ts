import type { ChainName } from '#core/chains/chains.ts';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import { chainStore, keyOfWrite, type Table } from '#core/store/table/table.ts';
import { type EmbeddedTable, startEmbeddedTable } from '#local/embedded-table.ts';
import { createMemoryTable } from '#local/memory-table.ts';
import { dynamoDbLocal, startDynamoDbLocal } from './dynamodb-local.ts';
import { withoutSockets } from './in-process-table.ts';

/** Starts a new embedded table for each test of a file; in the Jest project of DynamoDB Local, a table there. */
export function useTable() {
  let table: Omit<EmbeddedTable, 'server'> | undefined;
  let open: () => Promise<Omit<EmbeddedTable, 'server'>> = async () =>
    withoutSockets(await startEmbeddedTable());
  let stop = async () => {};
  beforeAll(async () => {
    if (dynamoDbLocal !== undefined) {
      const local = await startDynamoDbLocal(dynamoDbLocal);
      open = local.openTables;
      stop = local.stop;
    }
  });
  beforeEach(async () => {
    table = await open();
  });
  afterEach(async () => {
    await table?.close();
  });
  afterAll(() => stop());
  return () => {
    if (!table) throw new Error('the table exists only while a test runs');
    return table;
  };
}

/** Starts a new table for each test of a file, and opens it as the store of a chain. */
export function useStore(chain: ChainName) {
  const table = useTable();
  return { table, store: () => chainStore(table(), chain) };
}

/** A table for tests that never read it. */
export const unreachableTable = createDocumentTable('metrics', { region: 'local' });

/** A table in memory for tests of what is above the store. The tests of the store and of whole parts use dynalite, which is slow. */
export function memoryTable(): Table {
  const chains = new Map<unknown, Table>();
  const of = (chain: unknown): Table => {
    const table = chains.get(chain) ?? createMemoryTable(unreachableTable, '').table;
    chains.set(chain, table);
    return table;
  };
  const ofItem = (item: object) => of('chain' in item ? item.chain : undefined);
  return {
    ...unreachableTable,
    getItem: (key) => ofItem(key).getItem(key),
    queryPages: (query) => of(query.ExpressionAttributeValues[':chain']).queryPages(query),
    putIf: (item, condition) => ofItem(item).putIf(item, condition),
    deleteItem: (key, condition) => ofItem(key).deleteItem(key, condition),
    commit: async (writes) => {
      const [write] = writes;
      return write === undefined || ofItem(keyOfWrite(write)).commit(writes);
    },
  };
}

/** Creates a new table in memory for each test of a file. */
export function useMemoryTable(): () => Table {
  let table = memoryTable();
  beforeEach(() => {
    table = memoryTable();
  });
  return () => table;
}

/** Creates a new table in memory for each test of a file, and opens it as the store of a chain. */
export function useMemoryStore(chain: ChainName) {
  const table = useMemoryTable();
  return { table, store: () => chainStore(table(), chain) };
}
