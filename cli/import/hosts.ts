import type { Source } from '../../core/anchor/network.ts';
import type { ChainName } from '../../core/chains/chains.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError } from '../exit-codes.ts';
import { chainIn, type OperatedService } from '../service.ts';

/** The endpoints of a chain, or why they cannot be asked. */
export type ProbedChain = { readonly kind: 'probed'; readonly source: Source } | Unprobed;

interface Unprobed {
  readonly kind: 'not probed';
  readonly reason: string;
}

/** Returns a function that probes the endpoints of a chain once. */
export function probeOnce(
  service: OperatedService,
  signal: AbortSignal,
): (chain: ChainName) => Promise<ProbedChain> {
  const probes = new Map<ChainName, Promise<ProbedChain>>();
  return (chain) => {
    const probe = probes.get(chain) ?? probeOf(service, chain, signal);
    probes.set(chain, probe);
    return probe;
  };
}

async function probeOf(service: OperatedService, name: ChainName, signal: AbortSignal): Promise<ProbedChain> {
  try {
    const served = chainIn(service, name);
    const probe = await probeChain(served, await upstreamsOf(served, undefined), requestContext(signal));
    return probe.kind === 'probed' ? probe : { kind: 'not probed', reason: probe.reason };
  } catch (error) {
    if (error instanceof CommandError) return { kind: 'not probed', reason: error.message };
    throw error;
  }
}
