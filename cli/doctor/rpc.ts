import { type Clock, systemClock } from '../../core/clock.ts';
import { type Endpoint, EndpointError, type FaultKind } from '../../core/rpc/endpoint.ts';
import { call, type Rpc } from '../../core/rpc/json-rpc.ts';

/** Shorter than the timeout of the ingest: a person waits for the result. */
const TIMEOUT_MS = 10_000;

/** Returns an RPC that makes each call once. */
export const singleTryRpc =
  (endpoint: Endpoint, signal: AbortSignal, timeoutMs = TIMEOUT_MS): Rpc =>
  async (method, params, schema, prepare) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await call(endpoint, method, params, schema, {
        signal: AbortSignal.any([signal, timeout]),
        prepare,
      });
    } catch (error) {
      if (signal.aborted || !timeout.aborted) throw error;
      const problem = `${method}: no response within ${timeoutMs / 1_000} s`;
      throw new EndpointError(endpoint, problem, { kind: 'timeout' });
    }
  };

/** Faults that may pass within seconds. A timeout may pass too, but retrying it takes too long. */
const TRANSIENT: ReadonlySet<FaultKind> = new Set(['unreachable', 'rate limit', 'down']);
const RETRY_DELAYS_MS = [500, 2_000];

/** Returns an RPC that retries transient faults, so that one hiccup does not fail a check. */
export function retryingRpc(
  endpoint: Endpoint,
  signal: AbortSignal,
  clock: Pick<Clock, 'sleep'> = systemClock,
): Rpc {
  const once = singleTryRpc(endpoint, signal);
  return async (method, params, schema, prepare) => {
    for (const delay of RETRY_DELAYS_MS) {
      try {
        return await once(method, params, schema, prepare);
      } catch (error) {
        if (!(error instanceof EndpointError && TRANSIENT.has(error.kind))) throw error;
      }
      await clock.sleep(delay, signal);
    }
    return once(method, params, schema, prepare);
  };
}
