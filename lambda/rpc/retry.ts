import { BlockError } from '../chains/block-error.ts';
import type { Clock } from '../clock.ts';
import { afterFault, afterSuccess, isBroken, isCoolingDown } from './circuit-breaker.ts';
import { EndpointError, type FaultKind, UNAVAILABLE_KINDS } from './endpoint.ts';
import { call, type Rpc } from './json-rpc.ts';
import { setHealth, type Upstream } from './upstream.ts';

/** The clock, the abort signal and the fault counter of a run. */
export interface RequestContext {
  readonly clock: Clock;
  /** Aborts all requests and all waiting. */
  readonly signal: AbortSignal;
  readonly onFault: (host: string, kind: FaultKind) => void;
}

/** No endpoint returned a valid response. The message holds the last error of each. */
export class NoEndpointError extends Error {
  override readonly name = 'NoEndpointError';
  /** One per endpoint, beginning with its host. */
  readonly reasons: readonly string[];
  /** True when every response of every endpoint was that it does not have the data, which no retry can change. */
  readonly isUnavailable: boolean;

  constructor(what: string, reasons: readonly string[], isUnavailable = false) {
    super(`no endpoint returned a valid response for ${what}. ${reasons.join('. ')}`);
    this.reasons = reasons;
    this.isUnavailable = isUnavailable;
  }
}

/** Asserts that all errors are NoEndpointErrors; throws any other. */
export function noEndpointErrors(errors: readonly unknown[]): readonly NoEndpointError[] {
  return errors.map((error) => {
    if (error instanceof NoEndpointError) return error;
    throw error;
  });
}

/** Combines the errors of one request that was sent to several endpoints separately. */
export const combineErrors = (what: string, errors: readonly NoEndpointError[]): NoEndpointError =>
  new NoEndpointError(
    what,
    errors.flatMap(({ reasons }) => reasons),
  );

/** Rounds over all endpoints, with exponential backoff and jitter in between. */
const MAX_ROUNDS = 3;
const FIRST_BACKOFF_MS = 250;
/** If all endpoints cool down for longer than this, the run ends, and the next one continues. */
const MAX_COOLDOWN_MS = 30_000;
/** Longer, because most rate limits are per minute. Not for an endpoint that reports one for every request. */
const MAX_RATE_LIMIT_COOLDOWN_MS = 120_000;
const isRateLimited = ({ fault, health }: Upstream) => fault?.kind === 'rate limit' && !isBroken(health);

type Request<T> = (rpc: Rpc, host: string) => Promise<T>;
type Refusal = readonly [Upstream, EndpointError];

/**
 * Sends a request to one endpoint after the other (failover), and repeats that with exponential backoff, until one returns a
 * valid response.
 * @param what names the request in an error, such as `ETHEREUM block 12`
 * @param request throws EndpointError or BlockError to reject a response
 * @throws NoEndpointError when all endpoints failed in every round, or cool down for too long
 */
export async function requestWithRetry<T>(
  context: RequestContext,
  upstreams: readonly Upstream[],
  what: string,
  request: Request<T>,
): Promise<T> {
  const { clock, signal } = context;
  const refusals: Refusal[] = [];
  for (let rounds = 0; ; ) {
    const before = refusals.length;
    const response = await tryEach(context, upstreams, request, refusals);
    if (response) return response.value;
    // A round with nothing but rate limits does not count: at a low limit, many requests wait for their turn.
    const isFailed = refusals.slice(before).some(([, { kind }]) => kind !== 'rate limit');
    if (isFailed) rounds += 1;
    const backoff = isFailed ? clock.jitter(FIRST_BACKOFF_MS * 4 ** rounds) : 0;
    const pause = pauseBefore(upstreams, clock.now(), backoff);
    if (pause === undefined || rounds === MAX_ROUNDS) throw noEndpointError(what, upstreams, refusals);
    await clock.sleep(pause, signal);
  }
}

/** Sends a request to each endpoint until one returns a valid response; collects the refusals. */
async function tryEach<T>(
  context: RequestContext,
  upstreams: readonly Upstream[],
  request: Request<T>,
  refusals: Refusal[],
): Promise<{ readonly value: T } | undefined> {
  for (const upstream of upstreams) {
    if (isCoolingDown(upstream.health, context.clock.now())) continue;
    try {
      return { value: await requestOnce(context, upstream, request) };
    } catch (error) {
      if (error instanceof CoolingDownError) continue;
      if (!(error instanceof EndpointError)) throw error;
      refusals.push([upstream, error]);
    }
  }
  return undefined;
}

/** Returns the time until the next round, in milliseconds, or undefined when it is too long to wait. */
function pauseBefore(upstreams: readonly Upstream[], now: number, backoff: number): number | undefined {
  const [soonest] = upstreams.toSorted((a, b) => a.health.coolingDownUntil - b.health.coolingDownUntil);
  if (!soonest) return undefined;
  const pause = Math.max(soonest.health.coolingDownUntil - now, backoff);
  return pause > (isRateLimited(soonest) ? MAX_RATE_LIMIT_COOLDOWN_MS : MAX_COOLDOWN_MS) ? undefined : pause;
}

function noEndpointError(what: string, upstreams: readonly Upstream[], refusals: readonly Refusal[]) {
  const last = new Map(refusals);
  return new NoEndpointError(
    what,
    upstreams.map((upstream) => last.get(upstream)?.message ?? cooldownReason(upstream)),
    last.size === upstreams.length && refusals.every(([, { kind }]) => UNAVAILABLE_KINDS.has(kind)),
  );
}

class CoolingDownError extends Error {}

const cooldownReason = ({ endpoint, health, fault }: Upstream): string =>
  `${endpoint.host}: cooling down until ${new Date(health.coolingDownUntil).toISOString()}, after ${fault?.message}`;

/** @throws EndpointError when the response is rejected; CoolingDownError when a cooldown starts before the request is sent */
async function requestOnce<T>(context: RequestContext, upstream: Upstream, request: Request<T>): Promise<T> {
  const { clock, signal } = context;
  const { endpoint, limit } = upstream;
  const record = faultRecorder(context, upstream);
  const rpc: Rpc = (method, params, schema) =>
    limit(async () => {
      const startedAt = clock.now();
      // A cooldown may have started while this call waited for its turn.
      if (isCoolingDown(upstream.health, startedAt)) throw new CoolingDownError();
      try {
        return await call(endpoint, method, params, schema, signal);
      } catch (error) {
        // Recorded before the next call gets its turn.
        if (error instanceof EndpointError) record(error, startedAt);
        throw error;
      }
    });
  const startedAt = clock.now();
  try {
    const response = await request(rpc, endpoint.host);
    setHealth(upstream, afterSuccess(upstream.health));
    return response;
  } catch (error) {
    const fault =
      error instanceof BlockError
        ? new EndpointError(endpoint, error.message, { kind: 'invalid block' })
        : error;
    if (fault instanceof EndpointError) record(fault, startedAt);
    throw fault;
  }
}

/** Returns a function that records each fault of one request once, though a call and the request both report it. */
function faultRecorder({ clock, onFault }: RequestContext, upstream: Upstream) {
  const recorded = new Set<EndpointError>();
  return (fault: EndpointError, startedAt: number) => {
    if (recorded.has(fault)) return;
    recorded.add(fault);
    const { kind, retryAfter } = fault;
    upstream.fault = fault;
    const callFault = { kind, retryAfter, startedAt };
    setHealth(upstream, afterFault(upstream.health, callFault, clock.now(), clock.jitter));
    onFault(upstream.endpoint.host, kind);
  };
}
