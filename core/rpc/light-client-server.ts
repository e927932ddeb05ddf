import type { Chain } from '../chains/chains.ts';
import type { RequestContext } from './deadline.ts';
import { type Endpoint, secretEndpoints } from './endpoint.ts';
import { SIZE_LIMITS } from './http/response-body.ts';
import { exchange, jsonIn } from './json-rpc.ts';

type Asking = Pick<RequestContext, 'signal' | 'trace'>;

/** A server of the light-client protocol, which is part of the API of beacon nodes. We need not trust it. */
export type LightClientServer = Endpoint;

/** Returns the servers for proofs of finality: the configured ones, or the public ones, but only if public endpoints are read too. */
export function lightClientServers(
  chain: Chain,
  urls: readonly string[] | undefined,
  isPublic: boolean,
): LightClientServer[] {
  if (chain.finality?.kind !== 'sync committee') return [];
  return secretEndpoints(chain, urls ?? (isPublic ? chain.finality.publicServers : []));
}

const PATH = '/eth/v1/beacon/light_client/';

/** Eight updates have half a megabyte. */
const LIMITS = { ...SIZE_LIMITS, largest: 2 ** 21 };

/**
 * Reads an answer, not decoded. https://github.com/ethereum/beacon-APIs: apis/beacon/light_client
 * @param path with its query, such as `finality_update`
 * @throws EndpointError when the server is unreachable, times out, or gives no JSON; the signal's reason when it aborts
 */
export const readLightClientData = (
  server: LightClientServer,
  path: string,
  context: Asking,
): Promise<object> => readPath(server, PATH, path, context);

/** Reads the configuration of a server, with the epochs of forks. Not decoded. */
export const readSpec = (server: LightClientServer, context: Asking): Promise<object> =>
  readPath(server, '/eth/v1/config/', 'spec', context);

function readPath(server: LightClientServer, folder: string, path: string, { signal, trace }: Asking) {
  const url = `${server.url.replace(/\/$/, '')}${folder}${path}`;
  const headers = { ...server.headers, accept: 'application/json' };
  const request = { url, headers, signal, trace, limits: LIMITS };
  return exchange(server, path, request, (response) => jsonIn(server, path, response));
}
