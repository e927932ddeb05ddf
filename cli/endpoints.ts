import { secretEndpoints } from '../lambda/rpc/endpoint.ts';
import { ParameterError } from '../lambda/rpc/endpoints-parameter.ts';
import { openUpstream, type Upstream } from '../lambda/rpc/upstream.ts';
import { CommandError } from './exit-codes.ts';
import { checkedUrls } from './rpc-url.ts';
import type { ServedChain } from './service.ts';

/**
 * What a chain is read from: the nodes that are named, or those of the service.
 * @throws CommandError that names no part of a URL
 */
export async function upstreamsOf(
  { chain, openUpstreams }: ServedChain,
  urls: readonly string[] | undefined,
): Promise<readonly Upstream[]> {
  if (urls) return secretEndpoints(chain, checkedUrls(urls)).map(openUpstream);
  return openUpstreams().catch((error: unknown) => {
    throw error instanceof ParameterError ? new CommandError(`${error.message}.`) : error;
  });
}
