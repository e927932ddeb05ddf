import { EventEmitter } from 'node:events';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import dynalite from 'dynalite';
import { openTable } from '../../lambda/store/document-table.ts';
import type { Table } from '../../lambda/store/table.ts';
import { createTable, EMBEDDED_TABLE_NAME, embeddedAccess } from '../../local/embedded-table.ts';

/** Sends one request to the table and gives what it answers. */
export type Handle = (request: HttpRequest) => Promise<HttpResponse>;

/** The embedded table without sockets, so that what happens in which order follows from the code alone. */
export interface InProcessTable {
  /** A client that asks the table directly. */
  readonly table: Table;
  /** One whose requests pass through something first, which may delay them, lose them or have them twice. */
  readonly through: (wrap: (handle: Handle) => Handle) => Table;
}

/** Dynalite looks whether there is one, and not at it. */
const SIGNATURE = {
  authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none',
  'x-amz-date': '20260101T000000Z',
};

export async function startInProcessTable(): Promise<InProcessTable> {
  const dynamo = dynalite({ createTableMs: 0 });
  // The few things that dynalite reads of a request and writes of an answer.
  const direct: Handle = ({ path, headers, body }) =>
    new Promise((resolve) => {
      const request = Object.assign(new EventEmitter(), {
        ...{ method: 'POST', url: path },
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
  const through: InProcessTable['through'] = (wrap) => {
    const handle = wrap(direct);
    return openTable(EMBEDDED_TABLE_NAME, {
      ...embeddedAccess,
      endpoint: 'http://in-process',
      // The client's own retries wait in real time.
      maxAttempts: 1,
      // To make real signatures was an eighth of a simulation's time.
      signer: { sign: async (request) => request },
      requestHandler: { handle: async (request: HttpRequest) => ({ response: await handle(request) }) },
    });
  };
  const table = through((handle) => handle);
  await createTable(table);
  return { table, through };
}
