import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What the server answers with, down to what no node should: `result` alone is an ordinary answer. */
export type Answer =
  | { readonly result: unknown; readonly id?: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number; readonly body: string }
  | { readonly hangUp: true };

export interface JsonRpcServer extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  /** Every call so far, in order. */
  readonly calls: readonly Call[];
  /** The HTTP headers that each of them came with. */
  readonly headers: readonly IncomingHttpHeaders[];
}

/** A JSON-RPC server on this machine that answers as it is told, well or badly. */
export async function startJsonRpcServer(
  answer: (call: Call) => Answer | Promise<Answer>,
): Promise<JsonRpcServer> {
  const calls: Call[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const call: Call = JSON.parse(text);
    calls.push(call);
    headers.push(request.headers);
    const told = await answer(call);
    if ('hangUp' in told) return request.socket.destroy();
    if ('status' in told) return response.writeHead(told.status).end(told.body);
    return response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...told }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    calls,
    headers,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
