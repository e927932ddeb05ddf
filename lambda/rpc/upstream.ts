import pLimit, { type LimitFunction } from 'p-limit';
import { type Health, NEW_HEALTH } from './circuit-breaker.ts';
import type { Endpoint, EndpointError } from './endpoint.ts';

/** An endpoint and what this process knows of it. It is kept from run to run, so that what was learned is not learned again. */
export interface Upstream {
  readonly endpoint: Endpoint;
  /** Lets as many calls through as its health allows. */
  readonly limit: LimitFunction;
  health: Health;
  /** The last fault. */
  fault?: EndpointError;
  /** Whether it has said that it is on its chain. */
  isOnItsChain: boolean;
}

export const openUpstream = (endpoint: Endpoint): Upstream => ({
  endpoint,
  limit: pLimit(Math.floor(NEW_HEALTH.concurrency)),
  health: NEW_HEALTH,
  isOnItsChain: false,
});

/** Takes note of how it did. */
export function setHealth(upstream: Upstream, health: Health): void {
  upstream.health = health;
  upstream.limit.concurrency = Math.floor(health.concurrency);
}
