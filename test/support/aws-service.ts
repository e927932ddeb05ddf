import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Served, serve } from './serve.ts';

/** A response of the service: a result, an error, or a faulty response. */
export type Told =
  | { readonly result: unknown }
  | { readonly error: string; readonly status?: number }
  | { readonly body: string }
  | { readonly hang: true };

/** Returns the SSM response for a parameter. */
export const parameter = (Type: string, Value: string): Told => ({ result: { Parameter: { Type, Value } } });

export interface AwsService extends Served {
  /** The requests so far, in order. */
  readonly requests: readonly unknown[];
}

/** The message of each error. */
export const SAID = 'said the service';

/** Starts a local AWS JSON service with scripted responses. */
export async function startAwsService(tell: () => Told): Promise<AwsService> {
  const requests: unknown[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ target: request.headers['x-amz-target'], body: await json(request) });
    const told = tell();
    if ('hang' in told) return;
    if ('body' in told) return response.end(told.body);
    if ('result' in told) return response.end(JSON.stringify(told.result));
    const { error, status = 400 } = told;
    return response.writeHead(status).end(JSON.stringify({ __type: error, message: SAID }));
  });
  return { ...(await serve(server)), requests };
}
