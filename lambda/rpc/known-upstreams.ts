import { isDeepStrictEqual } from 'node:util';
import type { SSMClient } from '@aws-sdk/client-ssm';
import type { Chain } from '../chains/chains.ts';
import { endpointOf, secretEndpoints } from './endpoint.ts';
import { ParameterError, readEndpointUrls } from './endpoints-parameter.ts';
import { openUpstream, type Upstream } from './upstream.ts';

interface Known {
  readonly urls: readonly string[];
  readonly upstreams: readonly Upstream[];
}

/**
 * Gives what a chain is read from: the endpoints in a parameter, or the public ones where none is named. The parameter is
 * read each time, so a new URL is used by the next run. Upstreams are kept, with what was learned of them, until their
 * URLs change.
 */
export function knownUpstreams(parameters: SSMClient) {
  const known = new Map<string, Known>();

  /**
   * @throws ParameterError when the parameter cannot be used, and then nothing of it is known any more; while it only cannot
   *   be read, the endpoints known are asked
   */
  return async (chain: Chain, parameter: string | undefined): Promise<readonly Upstream[]> => {
    const key = `${chain.name} ${parameter}`;
    const before = known.get(key);
    const urls = await urlsOf(chain, parameter).catch((error: unknown) => {
      const isPassing = error instanceof ParameterError && error.isPassing;
      // Whoever deletes a parameter takes its URLs back: they are not asked again while it cannot be read later.
      if (!isPassing) known.delete(key);
      if (!isPassing || !before) throw error;
      console.warn({ chain: chain.name, problem: 'the endpoints known are asked', reason: error.message });
      return before.urls;
    });
    if (before && isDeepStrictEqual(urls, before.urls)) return before.upstreams;
    const endpoints =
      parameter === undefined ? urls.map((url) => endpointOf(chain, url)) : secretEndpoints(chain, urls);
    const upstreams = endpoints.map(openUpstream);
    known.set(key, { urls, upstreams });
    return upstreams;
  };

  async function urlsOf(chain: Chain, parameter: string | undefined): Promise<readonly string[]> {
    return parameter === undefined ? chain.publicEndpoints : readEndpointUrls(parameters, parameter);
  }
}
