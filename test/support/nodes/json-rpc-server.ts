import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Chain } from '#core/chains/chains.ts';
import { probeEndpoints } from '#core/ingest/probe-endpoints.ts';
import type { Source, SourceSettings } from '#core/ingest/source.ts';
import { type Endpoint, endpointOf } from '#core/rpc/endpoint.ts';
import type { Fetched, RequestContext } from '#core/rpc/failover.ts';
import { call, type Rpc } from '#core/rpc/json-rpc.ts';
import { createUpstream, type Upstream } from '#core/rpc/upstream.ts';
import { fastClock } from '#test/support/clock.ts';
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

/** Starts a local JSON-RPC server with scripted responses. */
export async function startJsonRpcServer(
  answer: (call: Call) => NodeResponse | Promise<NodeResponse>,
): Promise<JsonRpcServer> {
  const calls: Call[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
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

interface Server {
  readonly url: string;
}

/** Opens upstreams for servers, with a new health. */
export const upstreamsOf = (chain: Chain, servers: readonly Server[]): Upstream[] =>
  servers.map(({ url }) => createUpstream(endpointOf(chain, url)));

/** Returns a request context on a fast clock, without an abort or a fault counter, with some fields overridden. */
export const requestContextWith = (given: Partial<RequestContext> = {}): RequestContext => ({
  clock: fastClock(),
  signal: new AbortController().signal,
  onFault: () => {},
  ...given,
});

/**
 * Probes the servers and returns the source of a run.
 * @throws Error with the reason when none answers
 */
export async function sourceOf(
  chain: Chain,
  servers: readonly Server[],
  given: Partial<RequestContext> = {},
  settings: SourceSettings = {},
): Promise<Source> {
  const probe = await probeEndpoints(chain, requestContextWith(given), upstreamsOf(chain, servers), settings);
  if (probe.kind === 'probed') return probe.source;
  throw new Error(probe.reason);
}

/** Returns the value that was fetched. */
export function valueIn<T>(result: Fetched<T>): T {
  if (result.kind === 'fetched') return result.value;
  throw new Error(result.reason);
}

/** Returns an Rpc without limits and signal. */
export const rpcTo =
  (endpoint: Endpoint): Rpc =>
  (method, params, decode) =>
    call(endpoint, method, params, decode);
