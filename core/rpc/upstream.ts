import pLimit, { type LimitFunction } from 'p-limit';
import type { Endpoint, EndpointError } from './endpoint.ts';
import { type Health, NEW_HEALTH } from './health.ts';

/** The result of asking an endpoint for a block as RLP. `unclear` means that it did not answer, so the next run asks again. */
export type RawSupport = 'offered' | 'refused' | 'unclear';

/** An endpoint with its health in this process. It is kept between runs, so that a run need not learn it again. */
export interface Upstream {
  readonly endpoint: Endpoint;
  /** Limits the concurrent calls to `health.concurrency`. */
  readonly limit: LimitFunction;
  health: Health;
  /** The number of open requests. A request makes one call or more, and some calls follow others. */
  requests: number;
  /** The time of the next call at the rate that the endpoint can sustain, in milliseconds since 1970. */
  nextAt: number;
  fault: EndpointError | undefined;
  /** True once its chain ID was confirmed. */
  isOnItsChain: boolean;
  /** True once it has refused the state of a past block, as nodes that are not archives do. */
  keepsNoPast: boolean;
  /** The newest block whose receipts it lacked, because it has pruned them. */
  lacksReceiptsTo: number;
  /** Absent before the first block is read. */
  raw: Promise<RawSupport> | undefined;
}

export const createUpstream = (endpoint: Endpoint): Upstream => ({
  endpoint,
  limit: pLimit(Math.floor(NEW_HEALTH.concurrency)),
  health: { ...NEW_HEALTH, rate: endpoint.callsPerSecond },
  requests: 0,
  nextAt: 0,
  fault: undefined,
  isOnItsChain: false,
  keepsNoPast: false,
  lacksReceiptsTo: -1,
  raw: undefined,
});

export function setHealth(upstream: Upstream, health: Health): void {
  upstream.health = health;
  upstream.limit.concurrency = Math.floor(health.concurrency);
}

/** `configured` asks the first endpoint for everything that it can answer, `fastest` shares the work. */
export type RequestOrder = 'configured' | 'fastest';

/** Endpoints in reserve help out only if the others pause for longer than this. */
const SHORT_COOLDOWN_MS = 5_000;

/** Returns the endpoints that may be used now. Those in reserve are among them only while the others cannot be used. */
export function working(
  upstreams: readonly Upstream[],
  now: number,
  isInReserve = ({ endpoint }: Upstream): boolean => endpoint.isReserve,
): readonly Upstream[] {
  const others = upstreams.filter((one) => !isInReserve(one));
  return others.some(({ health }) => health.coolingDownUntil - now <= SHORT_COOLDOWN_MS) ? others : upstreams;
}

const rankOf = ({ endpoint, health: { lastUntil, laterUntil } }: Upstream, now: number): number =>
  endpoint.isReserve ? 3 : lastUntil > now ? 2 : laterUntil > now ? 1 : 0;

/** Sorts endpoints in the order in which to ask them: as configured, then those to ask later, then suspects, then those in reserve. */
export const byPreference = (upstreams: readonly Upstream[], now: number): readonly Upstream[] =>
  upstreams.toSorted((a, b) => rankOf(a, now) - rankOf(b, now));

/**
 * Returns the endpoint for the next request: the first of the preferred ones, or the one that is expected to answer first. That may be one
 * that cools down for a short time. Otherwise all requests would go to the last one that does not.
 * @param upstreams those that have not failed at this request
 */
export function nextUpstream(
  upstreams: readonly Upstream[],
  order: RequestOrder,
  now: number,
): Upstream | undefined {
  const most = order === 'fastest' ? SHORT_COOLDOWN_MS : 0;
  const usable = working(upstreams, now);
  const able = usable.filter(({ health }) => health.coolingDownUntil - now <= most);
  const byWait = (some: readonly Upstream[]) => some.toSorted((a, b) => waitOf(a, now) - waitOf(b, now));
  if (able.length === 0) return byWait(usable)[0];
  return byPreference(order === 'fastest' ? byWait(able) : able, now)[0];
}

/** The assumed time of a call to an endpoint that has not answered yet, in milliseconds. */
const UNKNOWN_LATENCY_MS = 50;

const CALLS_OF_A_BLOCK = 2;

/** Estimates the milliseconds until an endpoint would give one more block, by its cooldown, rate, latency and open requests. */
function waitOf({ health, requests, nextAt }: Upstream, now: number): number {
  const latency = health.latency || UNKNOWN_LATENCY_MS;
  const calls = CALLS_OF_A_BLOCK * requests;
  const paced = ((calls + CALLS_OF_A_BLOCK) * 1_000) / health.rate;
  const queued = (calls / health.concurrency) * latency;
  return Math.max(0, health.coolingDownUntil - now) + latency + Math.max(nextAt - now, paced, queued);
}
