import { probeEndpoints } from '../../core/anchor/probe-endpoints.ts';
import { systemClock } from '../../core/clock.ts';
import type { Endpoint } from '../../core/rpc/endpoint.ts';
import { createUpstream } from '../../core/rpc/upstream.ts';
import { checkFeed, type FeedReport } from './feed.ts';
import { checkFinality, type FinalityReport } from './finality.ts';
import type { Target } from './targets.ts';

/** The final block that a run would use now, or why it would find none. */
export type AnchorReport =
  | {
      readonly number: number;
      readonly timestamp: number;
      /** Hosts that support it. */
      readonly hosts: readonly string[];
      /** Hosts that report another block; absent without any. */
      readonly contradicted_by?: readonly string[];
      /** Only of a chain that proves which block is final. */
      readonly finality?: FinalityReport;
      /** Absent where we know no feed on the chain. */
      readonly feed?: FeedReport;
    }
  | { readonly reason: string };

const TIMEOUT_MS = 20_000;

/** @throws the signal's reason when it aborts */
export async function findTargetAnchor(
  target: Target,
  endpoints: readonly Endpoint[],
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<AnchorReport> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const context = { clock: systemClock, signal: AbortSignal.any([signal, timeout]), onFault: () => {} };
  try {
    const probe = await probeEndpoints(target.chain, context, endpoints.map(createUpstream), target);
    if (probe.kind !== 'probed') return { reason: probe.reason };
    const { number, timestamp, hosts, opponents } = probe.source.anchor;
    const { priceFeed } = target.chain;
    const [finality, feed] = await Promise.all([
      checkFinality(target, probe.source),
      priceFeed && checkFeed(probe.source, priceFeed, systemClock.now() / 1_000),
    ]);
    return {
      ...{ number, timestamp, hosts },
      ...(opponents && { contradicted_by: opponents }),
      ...(finality && { finality }),
      ...(feed && { feed }),
    };
  } catch (error) {
    if (signal.aborted || !timeout.aborted) throw error;
    return { reason: `Too few endpoints answered within ${timeoutMs / 1_000} s.` };
  }
}
