import type { Network } from '../anchor/network.ts';
import { ProofError } from '../proof/encoding/proof-error.ts';
import { within } from '../rpc/deadline.ts';
import { EndpointError } from '../rpc/endpoint.ts';
import type { Rpc } from '../rpc/json-rpc.ts';
import { uncountedRpc } from '../rpc/paced-call.ts';
import type { Upstream } from '../rpc/upstream.ts';

/** A run has more to do than wait for a node that stalls. */
export const MAX_READING_MS = 5_000;

/** Returns undefined where an endpoint does not answer in time, refuses, or lies in a way that shows. */
export type Ask = <T>(upstream: Upstream, read: (rpc: Rpc) => Promise<T>) => Promise<T | undefined>;

/** Returns a function that asks an endpoint, and the reasons of those that gave no valid answer. */
export function asking({ context, chain }: Network) {
  const reasons: string[] = [];
  const ask: Ask = async (upstream, read) => {
    const { host } = upstream.endpoint;
    try {
      const answer = await within(context, MAX_READING_MS, (limited) =>
        read(uncountedRpc(limited, upstream)),
      );
      if (answer === undefined) reasons.push(`${host}: no answer within ${MAX_READING_MS / 1_000} s`);
      return answer;
    } catch (error) {
      if (error instanceof EndpointError) reasons.push(error.message);
      else if (error instanceof ProofError)
        reasons.push(`${host}: ${chain.name}: ${error.field}: ${error.message}`);
      else throw error;
      return undefined;
    }
  };
  return { ask, reasons };
}

/** Asks one endpoint after the other, and returns the first answer. */
export async function firstOf<T>(
  upstreams: readonly Upstream[],
  read: (upstream: Upstream) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const upstream of upstreams) {
    const answer = await read(upstream);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
