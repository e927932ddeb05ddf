import { secretEndpoints } from '../../lambda/rpc/endpoint.ts';
import { openUpstream, type Upstream } from '../../lambda/rpc/upstream.ts';
import { upstreamsOf } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import { printNote } from '../print.ts';
import type { ServedChain } from '../service.ts';

export interface VerifyEndpoints {
  /** Days are recomputed from the first of these that provides them. */
  readonly primary: readonly Upstream[];
  /** Further endpoints, which confirm hashes and cross-check a day that differs. */
  readonly secondary: readonly Upstream[];
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
  if (rpcUrls.length === 0) return { primary: await upstreamsOf(served, undefined), secondary: [] };
  const given = secretEndpoints(served.chain, rpcUrls);
  const own = await upstreamsOf(served, undefined).catch(noteUnreadable);
  const secondary = own
    .map(({ endpoint }) => endpoint)
    .filter(({ url }) => given.every((endpoint) => endpoint.url !== url))
    .map((endpoint) => {
      const isTaken = given.some(({ host }) => host === endpoint.host);
      return openUpstream(isTaken ? { ...endpoint, host: `${endpoint.host} (of the service)` } : endpoint);
    });
  return { primary: given.map(openUpstream), secondary };
}

/** The given endpoints suffice. */
function noteUnreadable(error: unknown): [] {
  if (!(error instanceof CommandError)) throw error;
  printNote(`Only the given endpoints are asked: ${error.message}`);
  return [];
}
