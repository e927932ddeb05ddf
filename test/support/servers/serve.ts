import type { Server } from 'node:http';
import { endServer, LOOPBACK, listen } from '#local/listen.ts';

/** Starts a server on a free port, until it is disposed. */
export interface Served extends AsyncDisposable {
  readonly url: string;
}

/** Serves for the tests of a file. @returns a function that returns the URL */
export function useServer(server: Server): () => string {
  let served: Served;
  beforeAll(async () => {
    served = await serve(server);
  });
  afterAll(() => served[Symbol.asyncDispose]());
  return () => served.url;
}

export async function serve(server: Server): Promise<Served> {
  const port = await listen(server, { host: LOOPBACK, port: 0 });
  return { url: `http://${LOOPBACK}:${port}`, [Symbol.asyncDispose]: () => endServer(server) };
}
