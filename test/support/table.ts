import { openTable } from '../../lambda/store/document-table.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../local/embedded-table.ts';

/** Starts a new embedded table for each test of a file. */
export function useTable(): () => EmbeddedTable {
  let table: EmbeddedTable | undefined;
  beforeEach(async () => {
    table = await startEmbeddedTable();
  });
  afterEach(async () => {
    await table?.close();
  });
  return () => {
    if (!table) throw new Error('the table exists only while a test runs');
    return table;
  };
}

/** A table for tests that never read it. */
export const unreachableTable = openTable('metrics', { region: 'local' });
