import { createServer } from 'node:http';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import type { LightClientServer } from '#core/rpc/light-client-server.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import { serve } from '#test/support/servers/serve.ts';
import { type BeaconChain, createBeaconChain } from './beacon-chain.ts';
import { lightClientAnswer } from './light-client-answer.ts';
import { simulatedEthereum, simulatedNetwork } from './simulated-chains.ts';

type SealedBlock = Pick<RandomBlock, 'header'>;

/**
 * Returns a beacon chain over blocks.
 * @param final returns the number of the final one
 * @param name of the committees
 * @param network by default Ethereum's
 */
export const beaconChainOf = (
  blocks: readonly SealedBlock[],
  final: () => number,
  name?: string,
  network = simulatedNetwork,
): BeaconChain =>
  createBeaconChain(
    network,
    async (at) => blocks[at === 'finalized' ? final() : at]?.header as unknown as RpcHeader,
    name,
  );

export interface ServedBeacon extends AsyncDisposable {
  readonly server: LightClientServer;
  /** Paths without their common beginning. */
  readonly calls: string[];
}

type Given = { readonly status?: number; readonly body: string } | undefined;

/**
 * Serves a beacon chain until disposed.
 * @param answer returns an answer in its place; undefined for the true one
 */
export async function serveBeacon(
  chain: BeaconChain,
  answer: (path: string) => Given | Promise<Given> = () => undefined,
): Promise<ServedBeacon> {
  const calls: string[] = [];
  const server = createServer(async ({ url = '' }, response) => {
    const path = url.replace('/eth/v1/beacon/light_client/', '');
    calls.push(path);
    const given = await answer(path);
    const told = given?.body ?? (await lightClientAnswer(chain, url));
    response.statusCode = given?.status ?? (told === undefined ? 404 : 200);
    response.end(typeof told === 'string' ? told : JSON.stringify(told ?? {}));
  });
  const served = await serve(server);
  return {
    server: endpointOf(simulatedEthereum, served.url),
    calls,
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}
