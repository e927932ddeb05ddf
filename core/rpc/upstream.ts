import pLimit, { type LimitFunction } from 'p-limit';
import type { Endpoint, EndpointError } from './endpoint.ts';
import { type Health, isCoolingDown, NEW_HEALTH } from './health.ts';

/** The result of asking an endpoint for a block as RLP. `unclear` when it did not answer: the next run asks again. */
export type RawSupport = 'offered' | 'refused' | 'unclear';

/** An endpoint with its health in this process. Kept between runs, so that a run does not learn it again. */
export interface Upstream {
  readonly endpoint: Endpoint;
  /** Limits the concurrent calls to `health.concurrency`. */
  readonly limit: LimitFunction;
  health: Health;
  /** Milliseconds since 1970: the time of the next call at the rate that the endpoint bears. */
  nextAt: number;
  /** The last fault. */
  fault?: EndpointError;
  /** True after its chain ID was confirmed. */
  isOnItsChain: boolean;
  /** True after it has refused the state of a past block, as nodes do that are no archives. */
  keepsNoPast?: boolean;
  /** Number of the newest block whose receipts it lacked, as nodes do that have pruned them. */
  lacksReceiptsTo?: number;
  /** Absent before the first block is read. */
  raw?: Promise<RawSupport> | undefined;
}

export const createUpstream = (endpoint: Endpoint): Upstream => ({
  endpoint,
  limit: pLimit(Math.floor(NEW_HEALTH.concurrency)),
  health: { ...NEW_HEALTH, rate: endpoint.callsPerSecond },
  nextAt: 0,
  isOnItsChain: false,
});

export function setHealth(upstream: Upstream, health: Health): void {
  upstream.health = health;
  upstream.limit.concurrency = Math.floor(health.concurrency);
}

/** `configured` asks the first endpoint for everything that it can answer, `fastest` shares the work. */
export type Order = 'configured' | 'fastest';

/** While the others pause for no longer than this, one in reserve does not help out. */
const RESERVE_AFTER_MS = 5_000;

/** Returns the endpoints that may work now: those in reserve only while the others cannot. */
export function working(upstreams: readonly Upstream[], now: number): readonly Upstream[] {
  const others = upstreams.filter(({ endpoint }) => !endpoint.isReserve);
  return others.some(({ health }) => health.coolingDownUntil - now <= RESERVE_AFTER_MS) ? others : upstreams;
}

const rankOf = ({ endpoint, health: { lastUntil, laterUntil } }: Upstream, now: number): number =>
  endpoint.isReserve ? 3 : lastUntil > now ? 2 : laterUntil > now ? 1 : 0;

/** Sorts endpoints in the order in which to ask them: as configured, but some later, suspects last, and those in reserve after all. */
export const byPreference = (upstreams: readonly Upstream[], now: number): readonly Upstream[] =>
  upstreams.toSorted((a, b) => rankOf(a, now) - rankOf(b, now));

/**
 * Returns the endpoint that takes the next request: of those that do not cool down the preferred ones, and of these the first, or the one
 * that is expected to answer first.
 * @param upstreams those that have not failed at this request
 * @returns undefined when all cool down
 */
export function nextUpstream(
  upstreams: readonly Upstream[],
  order: Order,
  now: number,
): Upstream | undefined {
  const able = working(upstreams, now).filter(({ health }) => !isCoolingDown(health, now));
  if (order === 'configured') return byPreference(able, now)[0];
  const [first] = able
    .map((upstream) => ({ upstream, rank: rankOf(upstream, now), wait: waitOf(upstream, now) }))
    .toSorted((a, b) => a.rank - b.rank || a.wait - b.wait);
  return first?.upstream;
}

/** Milliseconds that a call takes while nothing is known of an endpoint. */
const UNKNOWN_LATENCY_MS = 50;

const CALLS_OF_A_BLOCK = 2;

/** Returns the milliseconds until an endpoint would give one more block, by its rate, its latency and the calls that wait for it. */
function waitOf({ health, limit, nextAt }: Upstream, now: number): number {
  const latency = health.latency || UNKNOWN_LATENCY_MS;
  const paced = Math.max(0, nextAt - now) + ((limit.pendingCount + CALLS_OF_A_BLOCK) * 1_000) / health.rate;
  const queued = ((limit.activeCount + limit.pendingCount) / health.concurrency) * latency;
  return latency + Math.max(paced, queued);
}
