import type { Chain } from '../chains/chains.ts';
import { type Endpoint, EndpointError, type Fault, secretEndpoints } from './endpoint.ts';
import { sendHttp } from './http/http-request.ts';
import { jsonCostProblem } from './http/json-guard.ts';
import { SIZE_LIMITS } from './http/response-body.ts';
import { httpHint } from './http-hint.ts';
import { networkProblem } from './json-rpc.ts';
import { meaningOf } from './refusals.ts';
import { startCallTimeout } from './timeouts.ts';

/** A server of Ethereum's light-client protocol, which is part of the API of beacon nodes. We need not trust it. */
export type LightClientServer = Endpoint;

/**
 * Returns the servers for proofs of a chain's finality.
 * @param urls the configured ones; without them, the public ones, but only if the chain's public endpoints are read too
 */
export function lightClientServers(
  chain: Chain,
  urls: readonly string[] | undefined,
  isPublic: boolean,
): readonly LightClientServer[] {
  if (chain.finality?.kind !== 'sync committee') return [];
  return secretEndpoints(chain, urls ?? (isPublic ? chain.finality.publicServers : []));
}

const PATH = '/eth/v1/beacon/light_client';

/** Eight updates have half a megabyte. */
const LIMITS = { ...SIZE_LIMITS, largest: 2 ** 21 };

/**
 * Reads an answer, not decoded. https://github.com/ethereum/beacon-APIs: apis/beacon/light_client
 * @param path with its query, such as `finality_update`
 * @throws EndpointError when the server is unreachable, times out, or gives no JSON; the signal's reason when it aborts
 */
export async function readLightClientData(
  server: LightClientServer,
  path: string,
  signal: AbortSignal,
): Promise<unknown> {
  signal.throwIfAborted();
  const fault = (problem: string, kind: Fault['kind']) =>
    new EndpointError(server, `${path}: ${problem}`, { kind });
  const timeout = startCallTimeout(signal);
  try {
    const url = `${server.url.replace(/\/$/, '')}${PATH}/${path}`;
    const headers = { ...server.headers, accept: 'application/json' };
    return await sendHttp(
      { url, headers, signal: timeout.signal },
      (response) => {
        const { status, header, body } = response;
        const hint = () => httpHint(server, response);
        const refusal = meaningOf(status, header, undefined);
        if (refusal) throw fault(`HTTP status ${status}${hint()}`, refusal.kind);
        const costProblem = jsonCostProblem(body);
        if (costProblem) throw fault(costProblem, 'invalid response');
        try {
          return JSON.parse(body.toString());
        } catch {
          throw fault(`the response is not JSON${hint()}`, 'invalid response');
        }
      },
      LIMITS,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EndpointError) throw error;
    const [kind, problem] = networkProblem(server, error);
    throw fault(problem, kind);
  } finally {
    timeout.clear();
  }
}
