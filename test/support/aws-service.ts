import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Served, serve } from './serve.ts';

/** What the service answers with: a result, one of its errors, or what no service should. */
export type Told =
  | { readonly result: unknown }
  | { readonly error: string; readonly status?: number }
  | { readonly body: string }
  | { readonly hang: true };

/** A parameter as SSM tells of it. */
export const parameter = (Type: string, Value: string): Told => ({ result: { Parameter: { Type, Value } } });

export interface AwsService extends Served {
  /** What was asked for so far, in order. */
  readonly requests: readonly unknown[];
}

/** What the service says with each of its errors. */
export const SAID = 'said the service';

/** An AWS service on this machine, of those that talk JSON, that answers as it is told. */
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
