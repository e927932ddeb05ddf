import { type Clock, systemClock } from '../../lambda/clock.ts';
import { type Endpoint, EndpointError, type FaultKind } from '../../lambda/rpc/endpoint.ts';
import { call, type Rpc } from '../../lambda/rpc/json-rpc.ts';

/** Shorter than the ingest waits: somebody looks on. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * One call, and no second try.
 * @param within milliseconds; only tests need others
 */
export const rpcOnce =
  (endpoint: Endpoint, signal: AbortSignal, within = ANSWER_WITHIN_MS): Rpc =>
  async (method, params, schema) => {
    const late = AbortSignal.timeout(within);
    try {
      return await call(endpoint, method, params, schema, AbortSignal.any([signal, late]));
    } catch (error) {
      if (signal.aborted || !late.aborted) throw error;
      const problem = `${method}: no answer within ${within / 1_000} s`;
      throw new EndpointError(endpoint, problem, { kind: 'timeout' });
    }
  };

/** What may be better a moment later. Silence may, too, but takes too long. */
const PASSING: ReadonlySet<FaultKind> = new Set(['not reached', 'rate limit', 'HTTP error']);
const PAUSES_MS = [500, 2_000];

/**
 * Calls that are made again after what may pass, so that a single hiccup is not taken for how an endpoint is.
 * @param clock only tests need another
 */
export function slowRpc(
  endpoint: Endpoint,
  signal: AbortSignal,
  clock: Pick<Clock, 'sleep'> = systemClock,
): Rpc {
  const once = rpcOnce(endpoint, signal);
  return async (method, params, schema) => {
    for (const pause of PAUSES_MS) {
      try {
        return await once(method, params, schema);
      } catch (error) {
        if (!(error instanceof EndpointError && PASSING.has(error.kind))) throw error;
      }
      await clock.sleep(pause, signal);
    }
    return once(method, params, schema);
  };
}
