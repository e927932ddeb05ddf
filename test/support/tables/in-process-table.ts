import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import { createDocumentTable, documentTable } from '#core/store/table/document-table.ts';
import type { Table } from '#core/store/table/table.ts';
import {
  createTable,
  EMBEDDED_TABLE_NAME,
  type EmbeddedTable,
  embeddedAccess,
} from '#local/embedded-table.ts';
import { createDynalite } from '#local/transactions.ts';

/** The embedded table without sockets, so that the order of events is deterministic. */
export interface InProcessTable {
  /** The table without an interceptor. */
  readonly table: Table;
  /** Opens the table with an interceptor, which may delay, lose or repeat requests. */
  readonly through: (wrap: (handle: Handle) => Handle) => Table;
}

export async function startInProcessTable(): Promise<InProcessTable> {
  const dynamo = createDynalite({ createTableMs: 0 });
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

/** Returns the same table with a client that needs no sockets, which is faster. */
export function withoutSockets(table: EmbeddedTable): EmbeddedTable {
  const { endpoint, server, keys } = table;
  const direct = createDocumentTable(table.name, {
    ...embeddedAccess,
    endpoint,
    ...clientOf(handleBy(server)),
  });
  return { ...table, ...direct, keys: documentTable(direct.client, keys.name) };
}

/** Sends a request to a DynamoDB and returns the response. */
export type Handle = (request: HttpRequest) => Promise<HttpResponse>;

/** Dynalite requires a signature but does not verify it. */
const SIGNATURE = {
  authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none',
  'x-amz-date': '20260101T000000Z',
};

/** Returns a function that hands requests to dynalite in this process. It passes just the parts that dynalite uses. */
const handleBy =
  (dynamo: Server): Handle =>
  ({ path, headers, body }) =>
    new Promise((resolve) => {
      const request = Object.assign(new EventEmitter(), {
        method: 'POST',
        url: path,
        headers: { ...headers, ...SIGNATURE },
      });
      const response = {
        statusCode: 0,
        setHeader: () => {},
        end: (text: string) =>
          resolve(new HttpResponse({ statusCode: response.statusCode, body: Buffer.from(text) })),
      };
      dynamo.emit('request', request, response);
      request.emit('data', new TextDecoder().decode(body));
      request.emit('end');
    });

/** Returns options of a client whose requests are handled in this process: sockets and signatures take most of the time of a call. */
const clientOf = (handle: Handle) => ({
  signer: { sign: async (request: HttpRequest) => request },
  requestHandler: { handle: async (request: HttpRequest) => ({ response: await handle(request) }) },
});
