import { BlockError } from '../chains/block-error.ts';
import { quantity } from './decode.ts';
import { type Endpoint, EndpointError } from './endpoint.ts';
import { call } from './json-rpc.ts';

/** Every endpoint of a chain was asked and none gave a valid answer; the message holds the reason of each. */
export class NoEndpointError extends Error {
  override readonly name = 'NoEndpointError';

  constructor(what: string, reasons: readonly Error[]) {
    super(
      `no endpoint gave a valid answer for ${what}. ${reasons.map((reason) => reason.message).join('. ')}`,
    );
  }
}

/**
 * Asks one endpoint after the other until one gives an answer that `ask` does not refuse.
 * @param what says in an error what was asked for, such as `ETHEREUM block 12`
 * @param ask throws EndpointError or BlockError to refuse what an endpoint said
 * @throws NoEndpointError when all are refused
 */
export async function fromAnyEndpoint<T>(
  endpoints: readonly Endpoint[],
  what: string,
  ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  const reasons: Error[] = [];
  for (const endpoint of endpoints) {
    try {
      await onItsChain(endpoint);
      return await ask(endpoint);
    } catch (error) {
      if (error instanceof BlockError) reasons.push(new EndpointError(endpoint, error.message));
      else if (error instanceof EndpointError) reasons.push(error);
      else throw error;
    }
  }
  throw new NoEndpointError(what, reasons);
}

const checks = new WeakMap<Endpoint, Promise<void>>();

/** Asks an endpoint once whether it is on its chain, and again only after it could not say or was not. */
function onItsChain(endpoint: Endpoint): Promise<void> {
  const known = checks.get(endpoint);
  if (known !== undefined) return known;
  const check = checkChainId(endpoint);
  checks.set(endpoint, check);
  check.catch(() => checks.delete(endpoint));
  return check;
}

/** A URL of another chain would give figures that look right, so no endpoint is read before it has said where it is. */
async function checkChainId(endpoint: Endpoint): Promise<void> {
  const { chain } = endpoint;
  const id = await call(endpoint, 'eth_chainId', [], quantity);
  if (id === BigInt(chain.id)) return;
  throw new EndpointError(endpoint, `this is chain ${id}, and ${chain.name} is chain ${chain.id}`);
}
