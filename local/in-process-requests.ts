import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';

/** Sends a request to a DynamoDB and returns the response. */
export type Handle = (request: HttpRequest) => Promise<HttpResponse>;

/** Dynalite requires a signature but does not verify it. */
const SIGNATURE = {
  authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none',
  'x-amz-date': '20260101T000000Z',
};

/** Returns a function that hands requests to dynalite in this process. It passes just the parts that dynalite uses. */
export const handleBy =
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
export const clientOf = (handle: Handle) => ({
  signer: { sign: async (request: HttpRequest) => request },
  requestHandler: { handle: async (request: HttpRequest) => ({ response: await handle(request) }) },
});
