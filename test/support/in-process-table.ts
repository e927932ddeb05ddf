import { EventEmitter } from 'node:events';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import dynalite from 'dynalite';
import { openTable } from '../../lambda/store/document-table.ts';
import type { Table } from '../../lambda/store/table.ts';
import { createTable, EMBEDDED_TABLE_NAME, embeddedAccess } from '../../local/embedded-table.ts';

/** Sends a request to the table and returns the response. */
export type Handle = (request: HttpRequest) => Promise<HttpResponse>;

/** The embedded table without sockets, so that the order of events is deterministic. */
export interface InProcessTable {
  /** The table without an interceptor. */
  readonly table: Table;
  /** Opens the table with an interceptor, which may delay, lose or repeat requests. */
  readonly through: (wrap: (handle: Handle) => Handle) => Table;
}

/** Dynalite requires a signature but does not verify it. */
const SIGNATURE = {
  authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none',
  'x-amz-date': '20260101T000000Z',
};

export async function startInProcessTable(): Promise<InProcessTable> {
  const dynamo = dynalite({ createTableMs: 0 });
  // The parts of a request and a response that dynalite uses.
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
      // Retries of the client would wait in real time.
      maxAttempts: 1,
      // Real signatures would take an eighth of a simulation's time.
      signer: { sign: async (request) => request },
      requestHandler: { handle: async (request: HttpRequest) => ({ response: await handle(request) }) },
    });
  };
  const table = through((handle) => handle);
  await createTable(table);
  return { table, through };
}
