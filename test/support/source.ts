import type { Chain } from '../../lambda/chains/chains.ts';
import { probeEndpoints, type Source } from '../../lambda/ingest/endpoint-probe.ts';
import { type Endpoint, endpointOf } from '../../lambda/rpc/endpoint.ts';
import { call, type Rpc } from '../../lambda/rpc/json-rpc.ts';
import type { RequestContext } from '../../lambda/rpc/retry.ts';
import { openUpstream, type Upstream } from '../../lambda/rpc/upstream.ts';
import { fastClock } from './clock.ts';

interface Server {
  readonly url: string;
}

/** The endpoints of servers, of which nothing is known yet. */
export const upstreamsOf = (chain: Chain, servers: readonly Server[]): Upstream[] =>
  servers.map(({ url }) => openUpstream(endpointOf(chain, url)));

/** RequestContext that nothing ends and nobody keeps count of, on a fast clock, but for what is given. */
export const askingWith = (given: Partial<RequestContext> = {}): RequestContext => ({
  clock: fastClock(),
  signal: new AbortController().signal,
  onFault: () => {},
  ...given,
});

/** What a run reads from, after the servers have answered its roll call. */
export const sourceOf = (
  chain: Chain,
  servers: readonly Server[],
  given: Partial<RequestContext> = {},
): Promise<Source> => probeEndpoints(chain, askingWith(given), upstreamsOf(chain, servers), undefined);

/** Calls that nothing limits and no signal ends. */
export const rpcTo =
  (endpoint: Endpoint): Rpc =>
  (method, params, schema) =>
    call(endpoint, method, params, schema);
