import { probeEndpoints } from '../core/anchor/probe-endpoints.ts';
import type { LinkedBlocks } from '../core/blocks/block-source.ts';
import { systemClock } from '../core/clock.ts';
import type { RequestContext } from '../core/rpc/deadline.ts';
import { secretEndpoints } from '../core/rpc/endpoint.ts';
import { ParameterError } from '../core/rpc/endpoints-parameter.ts';
import type { Fetched } from '../core/rpc/failover.ts';
import { createUpstream, type Upstream } from '../core/rpc/upstream.ts';
import type { SourceSettings } from '../core/settings/chain-settings.ts';
import { traceOf } from '../local/trace.ts';
import { CommandError } from './exit-codes.ts';
import { printNote } from './print.ts';
import type { ServedChain } from './service.ts';

/** Returns the endpoints of `--rpc-url`, or those of the service. @throws CommandError that repeats no part of a URL */
export async function upstreamsOf(
  { chain, createUpstreams }: ServedChain,
  urls: readonly string[] | undefined,
): Promise<readonly Upstream[]> {
  if (urls) return secretEndpoints(chain, urls).map(createUpstream);
  return createUpstreams().catch((error: unknown) => {
    throw error instanceof ParameterError ? new CommandError(error.message) : error;
  });
}

/** Creates a request context that ends with `signal` and counts no faults. */
export const requestContext = (signal: AbortSignal): RequestContext => ({
  clock: systemClock,
  signal,
  onFault: () => {},
  trace: traceOf(process.env),
});

/** Probes the endpoints of a chain and fixes the anchor, with the settings of its ingest. */
export const probeChain = (
  served: Pick<ServedChain, 'chain'> & SourceSettings,
  upstreams: readonly Upstream[],
  context: RequestContext,
) => probeEndpoints(served.chain, context, upstreams, served);

/** Probes endpoints. @throws CommandError with the reason, after a prefix, when they have no anchor */
export async function openNetwork(
  served: ServedChain,
  upstreams: readonly Upstream[],
  context: RequestContext,
  prefix = '',
) {
  const probe = await probeChain(served, upstreams, context);
  if (probe.kind === 'probed') return probe.network;
  throw new CommandError(`${prefix}${probe.reason}`);
}

const errorOf = (reason: string) => new CommandError(reason);

/** Returns what an endpoint gave. @throws CommandError with the reason when none did */
export function given<T>(read: Fetched<T>, toError = errorOf): T {
  if (read.kind === 'no endpoint') throw toError(read.reason);
  return read.value;
}

/** Yields all blocks of a range. @throws CommandError with the reason when no endpoint gives the next one */
export async function* givenBlocks(blocks: LinkedBlocks, toError = errorOf) {
  const end = yield* blocks;
  if (end.kind === 'no endpoint') throw toError(end.reason);
}

export type VerifyEndpoints = Awaited<ReturnType<typeof findVerifyEndpoints>>;

/**
 * Returns the endpoints of `--rpc-url`, or those of the service. Days are recomputed from the first primary one that provides them.
 * Secondary ones confirm hashes and cross-check a day that differs: those of the service that are of other hosts than the given ones.
 * @throws CommandError when the endpoints of the service cannot be read and no URLs are given
 */
export async function findVerifyEndpoints(served: ServedChain, rpcUrls: readonly string[]) {
  if (rpcUrls.length === 0) return { primary: await upstreamsOf(served, undefined), secondary: [] };
  const given = secretEndpoints(served.chain, rpcUrls);
  const own = await upstreamsOf(served, undefined).catch((error: unknown): [] => {
    if (!(error instanceof CommandError)) throw error;
    // The given endpoints suffice.
    printNote(`Only the given endpoints are asked: ${error.message}`);
    return [];
  });
  const secondary = own.filter(({ endpoint }) =>
    given.every(({ provider }) => provider !== endpoint.provider),
  );
  return { primary: given.map(createUpstream), secondary };
}
