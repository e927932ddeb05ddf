import pLimit, { type LimitFunction } from 'p-limit';
import { type Health, NEW_HEALTH } from './circuit-breaker.ts';
import type { Endpoint, EndpointError } from './endpoint.ts';

/** The result of asking an endpoint for a block as RLP. `unclear` when it did not answer: the next run asks again. */
export type RawSupport = 'offered' | 'refused' | 'unclear';

/** An endpoint with its health in this process. Kept between runs, so that a run does not learn it again. */
export interface Upstream {
  readonly endpoint: Endpoint;
  /** Limits the concurrent calls to `health.concurrency`. */
  readonly limit: LimitFunction;
  health: Health;
  /** The last fault. */
  fault?: EndpointError;
  /** True after its chain ID was confirmed. */
  isOnItsChain: boolean;
  /** Absent before the first block is read. */
  raw?: Promise<RawSupport> | undefined;
}

export const openUpstream = (endpoint: Endpoint): Upstream => ({
  endpoint,
  limit: pLimit(Math.floor(NEW_HEALTH.concurrency)),
  health: NEW_HEALTH,
  isOnItsChain: false,
});

export function setHealth(upstream: Upstream, health: Health): void {
  upstream.health = health;
  upstream.limit.concurrency = Math.floor(health.concurrency);
}
