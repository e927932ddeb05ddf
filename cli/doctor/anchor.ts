import type { AnchoredNetwork } from '../../core/anchor/network.ts';
import { ageProblem, finalitySourceOf } from '../../core/anchor/prove-final.ts';
import { systemClock } from '../../core/clock.ts';
import type { Endpoint } from '../../core/rpc/endpoint.ts';
import { createUpstream } from '../../core/rpc/upstream.ts';
import { probeChain, requestContext } from '../endpoints.ts';
import { interrupted } from '../exit-codes.ts';
import { formatDuration, listed } from '../print.ts';
import type { Target } from './targets.ts';

/** The final block that a run would use now, with the hosts that report it or another block, or why it would find none. */
export type AnchorReport = Awaited<ReturnType<typeof findTargetAnchor>>;

/** @throws the reason of `interrupted` when it aborts */
export async function findTargetAnchor(target: Target, endpoints: readonly Endpoint[], timeoutMs = 20_000) {
  const timeout = AbortSignal.timeout(timeoutMs);
  const context = requestContext(AbortSignal.any([interrupted, timeout]));
  try {
    const probe = await probeChain(target, endpoints.map(createUpstream), context);
    if (probe.kind !== 'probed') return { reason: probe.reason };
    const { number, timestamp, hosts, opponents } = probe.network.anchor;
    const finality = await checkFinality(target, probe.network);
    return {
      number,
      timestamp,
      hosts,
      ...(opponents && { contradicted_by: opponents }),
      ...(finality && { finality }),
    };
  } catch (error) {
    if (interrupted.aborted || !timeout.aborted) throw error;
    return { reason: `Too few endpoints answered within ${timeoutMs / 1_000} s.` };
  }
}

/** Returns the beacon or epoch block with which proofs of finality would begin, or why they cannot; nothing of a chain without them. */
async function checkFinality({ finality: policy, proof }: Target, network: AnchoredNetwork) {
  const finality = policy === 'reported' ? undefined : finalitySourceOf(network, proof);
  if (!finality) return undefined;
  const begun = await finality.begin(proof.checkpoint);
  if (begun.kind === 'not begun') return { problem: begun.reason };
  const { checkpoint, state } = begun;
  const problem = ageProblem(finality, state, systemClock.now());
  return { checkpoint, timestamp: state.provenAt, ...(problem && { problem }) };
}

/** @param now seconds since 1970 */
export function describeAnchor(anchor: AnchorReport, now: number): string[] {
  if ('reason' in anchor) return [];
  const { number, timestamp, hosts, contradicted_by: others, finality } = anchor;
  const ago = (time: number) => `${formatDuration(now - time)} ago`;
  const advice = others
    ? `. ${listed(others)} contradict${others.length === 1 ? 's' : ''} it. Remove the faulty one if this persists`
    : '';
  const line = `Anchor: block ${number}, ${ago(timestamp)}, supported by ${listed(hosts)}${advice}.`;
  if (!finality) return [line];
  const proofs =
    'timestamp' in finality && !finality.problem
      ? `would begin at ${finality.checkpoint}, ${ago(finality.timestamp)}`
      : `cannot begin: ${finality.problem}. A service that has proven blocks continues from them`;
  return [line, `Proofs of finality ${proofs}.`];
}
