import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import dynalite from 'dynalite';
import { inject } from 'light-my-request';
import { openTable, type Table } from '../../lambda/store/table.ts';
import { createTable, embeddedAccess } from '../../local/embedded-table.ts';

/** Sends one request to the table and gives what it answers. */
export type Handle = (request: HttpRequest) => Promise<HttpResponse>;

/** The embedded table without sockets, so that what happens in which order follows from the code alone. */
export interface InProcessTable {
  /** A client that asks the table directly. */
  readonly table: Table;
  /** One whose requests pass through something first, which may delay them, lose them or have them twice. */
  readonly through: (wrap: (handle: Handle) => Handle) => Table;
}

export async function startInProcessTable(): Promise<InProcessTable> {
  const dynamo = dynalite({ createTableMs: 0 });
  const direct: Handle = async ({ path, headers, body }) => {
    const { statusCode, rawPayload } = await inject(
      (request, response) => dynamo.emit('request', request, response),
      { method: 'POST', url: path, headers, payload: new TextDecoder().decode(body) },
    );
    return new HttpResponse({ statusCode, body: rawPayload });
  };
  const through: InProcessTable['through'] = (wrap) => {
    const handle = wrap(direct);
    return openTable('metrics', {
      ...embeddedAccess,
      endpoint: 'http://in-process',
      // The client's own retries wait in real time.
      maxAttempts: 1,
      requestHandler: { handle: async (request: HttpRequest) => ({ response: await handle(request) }) },
    });
  };
  const table = through((handle) => handle);
  await createTable(table);
  return { table, through };
}
