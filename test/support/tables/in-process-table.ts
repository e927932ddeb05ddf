import dynalite from 'dynalite';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import type { Table } from '#core/store/table/table.ts';
import {
  clientOf,
  createTable,
  EMBEDDED_TABLE_NAME,
  embeddedAccess,
  type Handle,
  handleBy,
} from '#local/embedded-table.ts';

/** The embedded table without sockets, so that the order of events is deterministic. */
export interface InProcessTable {
  /** The table without an interceptor. */
  readonly table: Table;
  /** Opens the table with an interceptor, which may delay, lose or repeat requests. */
  readonly through: (wrap: (handle: Handle) => Handle) => Table;
}

export async function startInProcessTable(): Promise<InProcessTable> {
  const dynamo = dynalite({ createTableMs: 0 });
  const direct = handleBy(dynamo);
  const through: InProcessTable['through'] = (wrap) => {
    const handle = wrap(direct);
    return createDocumentTable(EMBEDDED_TABLE_NAME, {
      ...embeddedAccess,
      endpoint: 'http://in-process',
      // Retries of the client would wait in real time.
      maxAttempts: 1,
      ...clientOf(handle),
    });
  };
  const table = through((handle) => handle);
  await createTable(table);
  return { table, through };
}
