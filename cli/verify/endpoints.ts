import { secretEndpoints } from '../../lambda/rpc/endpoint.ts';
import { openUpstream, type Upstream } from '../../lambda/rpc/upstream.ts';
import { upstreamsOf } from '../endpoints.ts';
import type { ServedChain } from '../service.ts';

/**
 * Whom a day may be read from, in order: the given nodes first, then the service's own. One that is asked at the same
 * URL as another would only confirm itself, so it is there once.
 * @throws CommandError when the service's own cannot be known
 */
export async function endpointsToAsk(
  served: ServedChain,
  rpcUrls: readonly string[],
): Promise<readonly Upstream[]> {
  const given = secretEndpoints(served.chain, rpcUrls);
  const own = await upstreamsOf(served, undefined);
  const others = own
    .map(({ endpoint }) => endpoint)
    .filter(({ url }) => given.every((endpoint) => endpoint.url !== url))
    .map((endpoint) => ({ ...endpoint, host: nameBeside(given, endpoint.host) }));
  return [...given, ...others].map(openUpstream);
}

/** Two that are called the same are told apart by where they come from. */
const nameBeside = (given: readonly { readonly host: string }[], host: string) =>
  given.some((endpoint) => endpoint.host === host) ? `${host} (of the service)` : host;
