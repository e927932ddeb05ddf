import { systemClock } from '../lambda/clock.ts';
import { probeEndpoints, type Source } from '../lambda/ingest/endpoints.ts';
import { secretEndpoints } from '../lambda/rpc/endpoint.ts';
import { ParameterError } from '../lambda/rpc/endpoints-parameter.ts';
import type { NoEndpoint, RequestContext } from '../lambda/rpc/retry.ts';
import { openUpstream, type Upstream } from '../lambda/rpc/upstream.ts';
import { CommandError } from './exit-codes.ts';
import { validateRpcUrls } from './options.ts';
import type { ServedChain } from './service.ts';

/**
 * Opens the endpoints to read a chain from: the `--rpc-url` override, or those of the service.
 * @throws CommandError that repeats no part of a URL
 */
export async function upstreamsOf(
  { chain, openUpstreams }: ServedChain,
  urls: readonly string[] | undefined,
): Promise<readonly Upstream[]> {
  if (urls) return secretEndpoints(chain, validateRpcUrls(urls)).map(openUpstream);
  return openUpstreams().catch((error: unknown) => {
    throw error instanceof ParameterError ? new CommandError(error.message) : error;
  });
}

/** Creates a request context that ends with `signal` and counts no faults. */
export const requestContext = (signal: AbortSignal): RequestContext => ({
  clock: systemClock,
  signal,
  onFault: () => {},
});

/** Probes endpoints for the finalized block of a chain, with the settings of its ingest. */
export const probeChain = (
  served: ServedChain,
  upstreams: readonly Upstream[],
  context: RequestContext,
): Promise<{ readonly kind: 'probed'; readonly source: Source } | NoEndpoint> =>
  probeEndpoints(served.chain, context, upstreams, served);
