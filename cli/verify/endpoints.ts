import { type Endpoint, secretEndpoints } from '../../lambda/rpc/endpoint.ts';
import { openUpstream, type Upstream } from '../../lambda/rpc/upstream.ts';
import { upstreamsOf } from '../endpoints.ts';
import type { ServedChain } from '../service.ts';

export interface VerifyEndpoints {
  /** Days are recomputed from the first of these that provides them. */
  readonly primary: readonly Upstream[];
  /**
   * Opens further endpoints, used only to cross-check a day that differs.
   * @throws CommandError when they cannot be read
   */
  readonly openSecondary: () => Promise<readonly Upstream[]>;
}

/**
 * Opens the endpoints of the `--rpc-url` override or, without it, those of the service. With the override, the endpoints of the
 * service are secondary, except those with the same URL: an endpoint cannot cross-check itself.
 * @throws CommandError when the endpoints of the service cannot be read and no URLs are given
 */
export async function openVerifyEndpoints(
  served: ServedChain,
  rpcUrls: readonly string[],
): Promise<VerifyEndpoints> {
  if (rpcUrls.length === 0) {
    return { primary: await upstreamsOf(served, undefined), openSecondary: async () => [] };
  }
  const given = secretEndpoints(served.chain, rpcUrls);
  let secondary: Promise<readonly Upstream[]> | undefined;
  return {
    primary: given.map(openUpstream),
    openSecondary: () => {
      secondary ??= openOthers(given, served);
      return secondary;
    },
  };
}

async function openOthers(given: readonly Endpoint[], served: ServedChain): Promise<readonly Upstream[]> {
  const own = await upstreamsOf(served, undefined);
  return own
    .map(({ endpoint }) => endpoint)
    .filter(({ url }) => given.every((endpoint) => endpoint.url !== url))
    .map((endpoint) => openUpstream({ ...endpoint, host: distinctName(given, endpoint.host) }));
}

const distinctName = (given: readonly { readonly host: string }[], host: string) =>
  given.some((endpoint) => endpoint.host === host) ? `${host} (of the service)` : host;
