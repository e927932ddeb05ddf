import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Served, serve } from '#test/support/servers/serve.ts';

export interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A response of the server, including faulty ones; `result` alone is an ordinary response. */
export type NodeResponse =
  | JsonRpcAnswer
  | {
      readonly status: number;
      readonly body: string | Buffer;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Breaks the connection, before the response or after this part of it. */
  | { readonly hangUp: true }
  | { readonly cutOff: string }
  /** Never answers. */
  | { readonly hang: true };

/** Answers calls at once. */
export type NodeAnswer = (call: Call) => NodeResponse;
/** Answers calls, at once or later. */
export type Answer = (call: Call) => NodeResponse | Promise<NodeResponse>;

/** A refusal after which the client does not retry. */
export const UNAVAILABLE = { status: 503, body: '', headers: { 'retry-after': '3600' } };

type JsonRpcAnswer =
  | { readonly result: unknown; readonly id?: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Returns the body of an ordinary response. */
export const bodyOf = (call: Call, answer: JsonRpcAnswer): string =>
  JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer });

export interface JsonRpcServer extends Served {
  readonly host: string;
  /** The calls so far, in order. */
  readonly calls: readonly Call[];
  /** The HTTP headers of each call. */
  readonly headers: readonly IncomingHttpHeaders[];
}

/** Returns the numbers of the blocks whose receipts were requested, in order. */
export const blocksRead = (calls: readonly Call[]): readonly number[] =>
  calls
    .filter(({ method }) => method === 'eth_getBlockReceipts')
    .map(({ params: [number] }) => Number(number));

/** Starts a local JSON-RPC server with scripted responses. */
export async function startJsonRpcServer(answer: Answer): Promise<JsonRpcServer> {
  const calls: Call[] = [];
  const headers: IncomingHttpHeaders[] = [];
  // Keeps connections open while the client of a benchmark waits for others.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const call: Call = JSON.parse(text);
    calls.push(call);
    headers.push(request.headers);
    const scripted = await answer(call);
    if ('hangUp' in scripted) return request.socket.destroy();
    if ('hang' in scripted) return;
    if ('cutOff' in scripted) {
      response.writeHead(200, { 'content-length': Buffer.byteLength(scripted.cutOff) + 1 });
      return response.write(scripted.cutOff, () => request.socket.destroy());
    }
    if ('status' in scripted) return response.writeHead(scripted.status, scripted.headers).end(scripted.body);
    return response.end(bodyOf(call, scripted));
  });
  const served = await serve(server);
  return { ...served, host: new URL(served.url).host, calls, headers };
}
