import type { RequestContext } from './deadline.ts';
import { EndpointError } from './endpoint.ts';
import { afterAnswer, afterFault, askedLater, isCoolingDown } from './health.ts';
import { call, type Rpc } from './json-rpc.ts';
import { setHealth, type Upstream } from './upstream.ts';

/* Calls an endpoint at the rate that it can sustain, and learns about its health from each call. */

const SLOW_CALL_MS = 2_000;

/** An endpoint began to cool down while a request waited for its turn. */
export class CoolingDownError extends Error {}

const measuredCall =
  ({ clock, signal, onBigResponse, trace }: RequestContext, upstream: Upstream): Rpc =>
  async (method, params, decode, prepare) => {
    const { endpoint } = upstream;
    const startedAt = clock.now();
    const onBig = () => onBigResponse?.(endpoint.host);
    const answer = await call(endpoint, method, params, decode, { signal, onBig, trace }, prepare);
    setHealth(upstream, afterAnswer(upstream.health, startedAt, clock.now(), endpoint.callsPerSecond));
    return answer;
  };

/** Returns an Rpc that keeps the limits of an endpoint and counts no faults, for methods that the endpoint may lack. */
export const uncountedRpc =
  (context: RequestContext, upstream: Upstream): Rpc =>
  (...args) =>
    upstream.limit(() => measuredCall(context, upstream)(...args));

const recorded = new WeakSet<EndpointError>();

/** Records a fault of an endpoint once, in its health and in the report of the run. */
export function recordFault(
  { clock, onFault }: RequestContext,
  upstream: Upstream,
  fault: EndpointError,
  startedAt: number,
): void {
  if (recorded.has(fault)) return;
  recorded.add(fault);
  upstream.fault = fault;
  setHealth(upstream, afterFault(upstream.health, fault, startedAt, clock.now(), clock.jitter));
  onFault(upstream.endpoint.host, fault.kind, fault.message);
}

/** Waits until an endpoint can take one more call. @throws CoolingDownError if it cools down by then, or the run may not wait */
async function untilItsTurn(context: RequestContext, upstream: Upstream): Promise<void> {
  const { clock, signal, mayWait = () => true } = context;
  const now = clock.now();
  if (isCoolingDown(upstream.health, now)) throw new CoolingDownError();
  const at = Math.max(now, upstream.nextAt);
  if (at > now && !mayWait(true)) {
    setHealth(upstream, { ...upstream.health, coolingDownUntil: at });
    throw new CoolingDownError();
  }
  upstream.nextAt = at + 1_000 / upstream.health.rate;
  if (at > now) await clock.sleep(at - now, signal);
  if (isCoolingDown(upstream.health, clock.now())) throw new CoolingDownError();
}

/** Returns an Rpc that keeps the limits of an endpoint, makes no call while it cools down, and records its faults. */
export const recordedRpc =
  (context: RequestContext, upstream: Upstream): Rpc =>
  (...args) =>
    upstream.limit(async () => {
      await untilItsTurn(context, upstream);
      const requestedAt = context.clock.now();
      const startedAt = performance.now();
      try {
        return await measuredCall(context, upstream)(...args);
      } catch (error) {
        // Must be recorded before the next call gets its turn.
        if (error instanceof EndpointError) recordFault(context, upstream, error, requestedAt);
        throw error;
      } finally {
        if (performance.now() - startedAt >= SLOW_CALL_MS)
          upstream.health = askedLater(upstream.health, context.clock.now());
      }
    });
