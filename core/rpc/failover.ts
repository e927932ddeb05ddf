import type { Clock } from '../clock.ts';
import { afterFault, afterSuccess, isBroken, isCoolingDown } from './circuit-breaker.ts';
import { EndpointError, type FaultKind, quote, UNAVAILABLE_KINDS } from './endpoint.ts';
import { call, type Rpc } from './json-rpc.ts';
import { LATER_FOR_MS, setHealth, type Upstream } from './upstream.ts';

/** The time, the deadline and the fault counter that all requests of a run share. */
export interface RequestContext {
  readonly clock: Clock;
  /** Aborts every request under way and every pause. */
  readonly signal: AbortSignal;
  /**
   * Counts a fault of an endpoint.
   * @param reason begins with the host
   */
  readonly onFault: (host: string, kind: FaultKind, reason: string) => void;
  /** Awaited before a big response of an endpoint is read further; the function it returns, when the call has ended. */
  readonly onBigResponse?: (host: string) => Promise<() => Promise<void>>;
  /** Returns whether requests may wait while all endpoints cool down. Always, when absent. */
  readonly mayWait?: () => boolean;
}

/** A valid response, or the reasons why no endpoint gave one. */
export type Fetched<T> = { readonly kind: 'fetched'; readonly value: T } | NoEndpoint;

export interface NoEndpoint {
  readonly kind: 'no endpoint';
  /** All reasons in one sentence. */
  readonly reason: string;
  /** The last reason of each endpoint, beginning with its host. */
  readonly reasons: readonly string[];
  /** True when every response of every endpoint was that it does not have the data, which no retry can change. */
  readonly isUnavailable: boolean;
  /** True when every endpoint gave a block that follows a rule that is not known here. */
  readonly isRuleChange?: boolean;
}

export const fetched = <T>(value: T): Fetched<T> => ({ kind: 'fetched', value });

export const noEndpoint = (
  what: string,
  reasons: readonly string[],
  { isUnavailable = false, isRuleChange = false } = {},
): NoEndpoint => ({
  kind: 'no endpoint',
  reason: `No endpoint gave a valid response for ${what}. ${reasons.join('. ')}`,
  reasons,
  isUnavailable,
  isRuleChange,
});

/** Merges the failures of requests that went to one endpoint each. */
export const noneOf = (what: string, failures: readonly NoEndpoint[]): NoEndpoint =>
  noEndpoint(
    what,
    failures.flatMap(({ reasons }) => reasons),
  );

/** The outcome of one endpoint's turn: a value, or why its response is not acceptable and what kind of fault that is. */
export type Attempt<T> = { readonly value: T } | Refused;

export interface Refused {
  readonly refused: string;
  readonly fault?: FaultKind;
}

/** Tries of each endpoint, with a growing pause in between. */
const ROUNDS = 3;
const PAUSE_MS = 250;
const SLOW_CALL_MS = 2_000;
/** A run whose endpoints all cool down for longer than this ends; the next one continues. */
const MAX_COOLDOWN_MS = 30_000;
/** Most rate limits count calls per minute, and pass; one that is met at every try does not. */
const MAX_RATE_LIMIT_COOLDOWN_MS = 120_000;
const isRateLimited = ({ fault, health }: Upstream) => fault?.kind === 'rate limit' && !isBroken(health);

/**
 * Requests something from one endpoint after the other, in their order, until one gives a response that `request` accepts.
 * Rounds back off exponentially, with jitter.
 * @param what names the thing in a failure, such as `ETHEREUM block 12`
 * @throws the signal's reason when that aborts
 */
export async function requestWithFailover<T>(
  context: RequestContext,
  upstreams: readonly Upstream[],
  what: string,
  request: (rpc: Rpc, upstream: Upstream) => Promise<Attempt<T>>,
): Promise<Fetched<T>> {
  const { clock, signal } = context;
  const faults: [Upstream, EndpointError][] = [];
  for (let rounds = 0; ; ) {
    let isRefused = false;
    for (const upstream of upstreams) {
      if (isCoolingDown(upstream.health, clock.now())) continue;
      const attempt = await requestOnce(context, upstream, request);
      if ('value' in attempt) return fetched(attempt.value);
      if (attempt.fault === undefined) continue;
      faults.push([upstream, attempt.fault]);
      isRefused ||= attempt.fault.kind !== 'rate limit';
    }
    // A rate limit costs no round: where the limit is low, many requests wait for their turn.
    if (isRefused) rounds += 1;
    const pause = pauseBefore(rounds, isRefused, upstreams, context);
    if (pause === undefined) {
      const last = new Map(faults);
      return noEndpoint(
        what,
        upstreams.map((upstream) => last.get(upstream)?.message ?? cooldownReason(upstream)),
        {
          isUnavailable:
            last.size === upstreams.length && faults.every(([, { kind }]) => UNAVAILABLE_KINDS.has(kind)),
          isRuleChange:
            last.size === upstreams.length && [...last.values()].every(({ kind }) => kind === 'unknown rule'),
        },
      );
    }
    await clock.sleep(pause, signal);
  }
}

/** Returns the milliseconds until the next round, or undefined when there is none. */
function pauseBefore(
  rounds: number,
  isRefused: boolean,
  upstreams: readonly Upstream[],
  { clock, mayWait = () => true }: RequestContext,
): number | undefined {
  const soonest = upstreams.toSorted((a, b) => a.health.coolingDownUntil - b.health.coolingDownUntil)[0];
  if (!soonest || rounds === ROUNDS) return undefined;
  if (isCoolingDown(soonest.health, clock.now()) && !mayWait()) return undefined;
  const pause = Math.max(
    soonest.health.coolingDownUntil - clock.now(),
    isRefused ? clock.jitter(PAUSE_MS * 4 ** rounds) : 0,
  );
  return pause > (isRateLimited(soonest) ? MAX_RATE_LIMIT_COOLDOWN_MS : MAX_COOLDOWN_MS) ? undefined : pause;
}

/** An endpoint began to cool down while a request waited for its turn. */
class CoolingDownError extends Error {}

const cooldownReason = ({ endpoint, health, fault }: Upstream): string =>
  `${endpoint.host}: cooling down until ${new Date(health.coolingDownUntil).toISOString()}, after ${fault?.message}`;

/** Returns an Rpc that keeps the limits of an endpoint and counts no faults, for methods that it need not offer. */
export const uncountedRpc =
  ({ signal, onBigResponse }: RequestContext, { endpoint, limit }: Upstream): Rpc =>
  (method, params, decode, prepare) =>
    limit(() =>
      call(endpoint, method, params, decode, {
        signal,
        prepare,
        onBig: () => onBigResponse?.(endpoint.host),
      }),
    );

type RecordFault = (fault: EndpointError, requestedAt: number) => void;

/** Returns a function that records each fault of an endpoint once, in its health and in the report of the run. */
function faultRecorder({ clock, onFault }: RequestContext, upstream: Upstream): RecordFault {
  const recorded = new Set<EndpointError>();
  return (fault, requestedAt) => {
    if (recorded.has(fault)) return;
    recorded.add(fault);
    const { kind, retryAfter } = fault;
    upstream.fault = fault;
    // Whatever the monotonic clock says: a simulation has its own time. Without a method, a block may take a hundred calls.
    if (kind === 'timeout' || kind === 'no method') upstream.laterUntil = clock.now() + LATER_FOR_MS;
    setHealth(
      upstream,
      afterFault(upstream.health, { kind, retryAfter, startedAt: requestedAt }, clock.now(), clock.jitter),
    );
    onFault(upstream.endpoint.host, kind, fault.message);
  };
}

/** Returns an Rpc that keeps the limits of an endpoint, makes no call while it cools down, and records its faults. */
const recordedRpc =
  ({ clock, signal, onBigResponse }: RequestContext, upstream: Upstream, record: RecordFault): Rpc =>
  (method, params, decode, prepare) =>
    upstream.limit(async () => {
      const { endpoint } = upstream;
      const requestedAt = clock.now();
      if (isCoolingDown(upstream.health, requestedAt)) throw new CoolingDownError();
      const startedAt = performance.now();
      try {
        const onBig = () => onBigResponse?.(endpoint.host);
        return await call(endpoint, method, params, decode, { signal, onBig, prepare });
      } catch (error) {
        // Recorded before the next call gets its turn.
        if (error instanceof EndpointError) record(error, requestedAt);
        throw error;
      } finally {
        if (performance.now() - startedAt >= SLOW_CALL_MS) upstream.laterUntil = clock.now() + LATER_FOR_MS;
      }
    });

/** @returns the fault of the endpoint, or none while it cools down */
async function requestOnce<T>(
  context: RequestContext,
  upstream: Upstream,
  request: (rpc: Rpc, upstream: Upstream) => Promise<Attempt<T>>,
): Promise<{ readonly value: T } | { readonly fault: EndpointError | undefined }> {
  const { endpoint } = upstream;
  const record = faultRecorder(context, upstream);
  const startedAt = context.clock.now();
  try {
    const attempt = await request(recordedRpc(context, upstream, record), upstream);
    if ('value' in attempt) {
      setHealth(upstream, afterSuccess(upstream.health));
      return attempt;
    }
    const fault = new EndpointError(endpoint, quote(endpoint, attempt.refused), {
      kind: attempt.fault ?? 'invalid block',
    });
    record(fault, startedAt);
    return { fault };
  } catch (error) {
    if (error instanceof CoolingDownError) return { fault: undefined };
    if (!(error instanceof EndpointError)) throw error;
    record(error, startedAt);
    return { fault: error };
  }
}
