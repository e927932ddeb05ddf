import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type Served, serve } from './serve.ts';

/** A response of the service: a result, an error, or a faulty response. */
export type AwsResponse =
  | { readonly result: unknown }
  | { readonly error: string; readonly status?: number }
  | { readonly body: string }
  | { readonly hang: true };

/** Returns the SSM response for a parameter. */
export const parameter = (Type: string, Value: string): AwsResponse => ({
  result: { Parameter: { Type, Value } },
});

/** The EventBridge response for an accepted event. */
export const ACCEPTED: AwsResponse = { result: { FailedEntryCount: 0, Entries: [{ EventId: '1' }] } };

export interface AwsService extends Served {
  /** The requests so far, in order. */
  readonly requests: readonly { readonly target: unknown; readonly body: unknown }[];
}

/** The message of each error. */
export const SAID = 'said the service';

/** Starts a local AWS JSON service with scripted responses. */
export async function startAwsService(tell: () => AwsResponse): Promise<AwsService> {
  const requests: { target: unknown; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ target: request.headers['x-amz-target'], body: await json(request) });
    const scripted = tell();
    if ('hang' in scripted) return;
    if ('body' in scripted) return response.end(scripted.body);
    if ('result' in scripted) return response.end(JSON.stringify(scripted.result));
    const { error, status = 400 } = scripted;
    return response.writeHead(status).end(JSON.stringify({ __type: error, message: SAID }));
  });
  return { ...(await serve(server)), requests };
}
