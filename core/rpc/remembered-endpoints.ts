import { isDeepStrictEqual } from 'node:util';
import type { SSMClient } from '@aws-sdk/client-ssm';
import type { Chain } from '../chains/chains.ts';
import { endpointOf, secretEndpoints } from './endpoint.ts';
import { ParameterError, readEndpointUrls } from './endpoints-parameter.ts';
import { createUpstream, type Upstream } from './upstream.ts';

/**
 * Returns a function that opens the endpoints of a chain: those in a parameter, or the public ones if it has no parameter. The
 * parameter is read for every run, so a run always uses the current URLs. Upstreams are kept with their health until their
 * URLs change.
 */
export function createKnownUpstreams(parameters: SSMClient) {
  const known = new Map<string, { urls: readonly string[]; upstreams: readonly Upstream[] }>();

  /** @throws ParameterError, unless the failure is transient and earlier URLs are known */
  return async (chain: Chain, parameter: string | undefined): Promise<readonly Upstream[]> => {
    const key = `${chain.name} ${parameter}`;
    const before = known.get(key);
    const read = async () =>
      parameter === undefined ? chain.publicEndpoints : readEndpointUrls(parameters, parameter);
    const urls = await read().catch((error: unknown) => {
      const isTransient = error instanceof ParameterError && error.isTransient;
      // Deleting a parameter revokes its URLs, so a later transient failure must not use them either.
      if (!isTransient) known.delete(key);
      if (!isTransient || !before) throw error;
      console.warn({ chain: chain.name, problem: 'using the last known endpoints', reason: error.message });
      return before.urls;
    });
    if (before && isDeepStrictEqual(urls, before.urls)) return before.upstreams;
    const endpoints =
      parameter === undefined ? urls.map((url) => endpointOf(chain, url)) : secretEndpoints(chain, urls);
    const upstreams = endpoints.map(createUpstream);
    known.set(key, { urls, upstreams });
    return upstreams;
  };
}
