import { openTable } from '../../lambda/store/document-table.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../local/embedded-table.ts';

/** The embedded table, new for each test of a file that calls this. */
export function useTable(): () => EmbeddedTable {
  let table: EmbeddedTable | undefined;
  beforeEach(async () => {
    table = await startEmbeddedTable();
  });
  afterEach(async () => {
    await table?.close();
  });
  return () => {
    if (!table) throw new Error('the table is there only while a test runs');
    return table;
  };
}

/** A table that no test reaches, for code that only passes it on. */
export const unreachableTable = openTable('metrics', { region: 'local' });
