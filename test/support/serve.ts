import type { Server } from 'node:http';
import { endServer, LOOPBACK, listen } from '../../local/listen.ts';

/** A server on a free port of this machine, until it is disposed of. */
export interface Served extends AsyncDisposable {
  readonly url: string;
}

export async function serve(server: Server): Promise<Served> {
  const port = await listen(server, { host: LOOPBACK, port: 0 });
  return { url: `http://${LOOPBACK}:${port}`, [Symbol.asyncDispose]: () => endServer(server) };
}
