import { type Endpoint, secretEndpoints } from '../../lambda/rpc/endpoint.ts';
import { openUpstream, type Upstream } from '../../lambda/rpc/upstream.ts';
import { upstreamsOf } from '../endpoints.ts';
import type { ServedChain } from '../service.ts';

/** Whom days are read from. */
export interface Endpoints {
  /** A day is read from the first of these that can give it. */
  readonly first: readonly Upstream[];
  /**
   * Those that are only asked where it differs, after the rest of the first ones.
   * @throws CommandError when they cannot be known
   */
  readonly others: () => Promise<readonly Upstream[]>;
}

/**
 * Whoever names nodes wants their word: the service's own then serve to compare, and never in place of those. One that is
 * asked at the same URL as another would only confirm itself, so it is there once.
 * @throws CommandError when no nodes are given, and the service's own cannot be known
 */
export async function endpointsToAsk(served: ServedChain, rpcUrls: readonly string[]): Promise<Endpoints> {
  if (rpcUrls.length === 0) return { first: await upstreamsOf(served, undefined), others: async () => [] };
  const given = secretEndpoints(served.chain, rpcUrls);
  let others: Promise<readonly Upstream[]> | undefined;
  return {
    first: given.map(openUpstream),
    others: () => {
      others ??= othersThan(given, served);
      return others;
    },
  };
}

async function othersThan(given: readonly Endpoint[], served: ServedChain): Promise<readonly Upstream[]> {
  const own = await upstreamsOf(served, undefined);
  return own
    .map(({ endpoint }) => endpoint)
    .filter(({ url }) => given.every((endpoint) => endpoint.url !== url))
    .map((endpoint) => openUpstream({ ...endpoint, host: nameBeside(given, endpoint.host) }));
}

/** Two that are called the same are told apart by where they come from. */
const nameBeside = (given: readonly { readonly host: string }[], host: string) =>
  given.some((endpoint) => endpoint.host === host) ? `${host} (of the service)` : host;
