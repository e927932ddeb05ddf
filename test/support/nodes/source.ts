import type { AnchoredNetwork } from '#core/anchor/network.ts';
import { probeEndpoints } from '#core/anchor/probe-endpoints.ts';
import type { Chain } from '#core/chains/chains.ts';
import type { RequestContext } from '#core/rpc/deadline.ts';
import { type Endpoint, endpointOf } from '#core/rpc/endpoint.ts';
import type { Fetched } from '#core/rpc/failover.ts';
import { call, type Rpc } from '#core/rpc/json-rpc.ts';
import { createUpstream, type Upstream } from '#core/rpc/upstream.ts';
import type { SourceSettings } from '#core/settings/chain-settings.ts';
import { fastClock } from '#test/support/clock.ts';

interface Server {
  readonly url: string;
}

/** Opens upstreams for servers, with a new health. */
export const upstreamsOf = (chain: Chain, servers: readonly Server[]): Upstream[] =>
  servers.map(({ url }) => createUpstream(endpointOf(chain, url)));

/** Keeps a server in reserve, so that blocks are requested from the others first. It votes on the end of a day all the same. */
export const inReserve = <S extends Server>(server: S): S => ({ ...server, url: `${server.url}#reserve` });

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
): Promise<AnchoredNetwork> {
  const probe = await probeEndpoints(chain, requestContextWith(given), upstreamsOf(chain, servers), settings);
  if (probe.kind === 'probed') return probe.network;
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
  (method, params, decode, prepare) =>
    call(endpoint, method, params, decode, {}, prepare);
