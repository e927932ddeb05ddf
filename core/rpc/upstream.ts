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
  /**
   * Milliseconds since 1970. Until then it is asked last: it gave a block that is not canonical, or a process crashed while it read from
   * it.
   */
  lastUntil: number;
  /** Milliseconds since 1970. Until then it is asked after others: it was slow, or gave blocks that do not link. */
  laterUntil: number;
  /** True after it has refused the state of a past block, as nodes do that are no archives. */
  keepsNoPast?: boolean;
  /** Absent before the first block is read. */
  raw?: Promise<RawSupport> | undefined;
}

export const createUpstream = (endpoint: Endpoint): Upstream => ({
  endpoint,
  limit: pLimit(Math.floor(NEW_HEALTH.concurrency)),
  health: NEW_HEALTH,
  isOnItsChain: false,
  lastUntil: 0,
  laterUntil: 0,
});

export const LATER_FOR_MS = 600_000;

/** Sorts endpoints in the order in which to ask them: as configured, but some later, and suspects last. */
export const byPreference = (upstreams: readonly Upstream[], now: number): readonly Upstream[] => {
  const rankOf = ({ lastUntil, laterUntil }: Upstream) => (lastUntil > now ? 2 : laterUntil > now ? 1 : 0);
  return upstreams.toSorted((a, b) => rankOf(a) - rankOf(b));
};

export function setHealth(upstream: Upstream, health: Health): void {
  upstream.health = health;
  upstream.limit.concurrency = Math.floor(health.concurrency);
}
