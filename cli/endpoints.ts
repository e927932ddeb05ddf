import { systemClock } from '../lambda/clock.ts';
import { probeEndpoints, type Source } from '../lambda/ingest/endpoint-probe.ts';
import { secretEndpoints } from '../lambda/rpc/endpoint.ts';
import { ParameterError } from '../lambda/rpc/endpoints-parameter.ts';
import type { RequestContext } from '../lambda/rpc/retry.ts';
import { openUpstream, type Upstream } from '../lambda/rpc/upstream.ts';
import { CommandError } from './exit-codes.ts';
import { validateRpcUrls } from './options.ts';
import type { ServedChain } from './service.ts';

/**
 * What a chain is read from: the nodes that are named, or those of the service.
 * @throws CommandError that names no part of a URL
 */
export async function upstreamsOf(
  { chain, openUpstreams }: ServedChain,
  urls: readonly string[] | undefined,
): Promise<readonly Upstream[]> {
  if (urls) return secretEndpoints(chain, validateRpcUrls(urls)).map(openUpstream);
  return openUpstreams().catch((error: unknown) => {
    throw error instanceof ParameterError ? new CommandError(`${error.message}.`) : error;
  });
}

/** RequestContext for as long as nobody says stop, with no count of what endpoints do wrong. */
export const requestContext = (signal: AbortSignal): RequestContext => ({
  clock: systemClock,
  signal,
  onFault: () => {},
});

/**
 * What can be read of a chain just now.
 * @throws NoEndpointError when no endpoint answers
 */
export const probeChain = (
  { chain, confirmations }: ServedChain,
  upstreams: readonly Upstream[],
  context: RequestContext,
): Promise<Source> => probeEndpoints(chain, context, upstreams, confirmations ?? chain.confirmations);
