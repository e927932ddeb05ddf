import pMap from 'p-map';
import { EndpointError, type FaultKind, UNAVAILABLE_KINDS } from '../../core/rpc/endpoint.ts';

/** With these faults an endpoint cannot provide a valid block. Others, such as a timeout, say nothing about the block. */
const NOT_READABLE_KINDS: ReadonlySet<FaultKind> = new Set([
  ...UNAVAILABLE_KINDS,
  ...(['invalid response', 'invalid block', 'not proven', 'unknown rule'] as const),
]);

/**
 * Finds the oldest block above genesis that an endpoint provides, by binary search. Nodes prune from the oldest block on, so availability
 * is monotonic; but genesis says nothing, because pruned nodes keep it.
 * @param head a block that the endpoint provides
 * @returns also the reason why the block before is unavailable
 */
export async function findOldest<Block extends { readonly number: number }>(
  head: Block,
  read: (number: number) => Promise<Block>,
): Promise<{ readonly oldest: Block; readonly reason?: string | undefined }> {
  let [missing, next, oldest] = [0, 1, head];
  let reason: string | undefined;
  while (oldest.number > missing + 1) {
    try {
      oldest = await read(next);
    } catch (error) {
      if (!(error instanceof EndpointError && NOT_READABLE_KINDS.has(error.kind))) throw error;
      reason = error.message;
      missing = next;
    }
    next = missing + Math.floor((oldest.number - missing) / 2);
  }
  return { oldest, reason };
}

/** Returns whether no block is missing below an oldest block above genesis. */
export const isWhole = (oldest: number): boolean => oldest <= 1;

/** The highest call rate of an endpoint. */
export interface CallLimits {
  /** Concurrent calls at that rate. */
  readonly calls_at_once: number;
  readonly calls_per_second: number;
  /** The concurrency at which the endpoint first failed, and its error. */
  readonly refused?: { readonly calls_at_once: number; readonly reason: string };
}

/** Up to the maximum of the ingest (core/rpc/health.ts). */
const CONCURRENCY_LEVELS = [1, 2, 4, 8, 16, 32, 64];
/** Enough to measure a level, few calls beside those of a day. */
const CALLS_PER_WORKER = 8;

/**
 * Raises the concurrency step by step until the endpoint fails or the highest level is reached.
 * @throws EndpointError when it lacks a method
 */
export async function measureLimits(callOf: (index: number) => Promise<unknown>): Promise<CallLimits> {
  let best = { calls_at_once: 0, calls_per_second: 0 };
  for (const concurrency of CONCURRENCY_LEVELS) {
    const calls = Array.from({ length: concurrency * CALLS_PER_WORKER }, (_, index) => index);
    const startedAt = performance.now();
    try {
      await pMap(calls, callOf, { concurrency });
    } catch (error) {
      if (!(error instanceof EndpointError) || error.kind === 'no method') throw error;
      return { ...best, refused: { calls_at_once: concurrency, reason: error.message } };
    }
    const rate = (calls.length / (performance.now() - startedAt)) * 1_000;
    if (rate > best.calls_per_second) best = { calls_at_once: concurrency, calls_per_second: rate };
  }
  return best;
}
