/** Time limit of one JSON-RPC call, from the request to the end of the response. */
export const RPC_TIMEOUT_MS = 30_000;

/** Time limit from the turn of a big response on. Its rate is watched, and 256 MB take 128 s at the lowest rate. */
const BIG_RESPONSE_TIMEOUT_MS = 150_000;

/** A signal that aborts at the time limit of a call, or when another signal aborts. */
export interface CallTimeout {
  readonly signal: AbortSignal;
  /** Gives a big response more time from now on. */
  readonly extend: () => void;
  /** Releases the timer. Must be called after the call. */
  readonly clear: () => void;
}

/** Starts the timeout of a call. `AbortSignal.timeout` and `AbortSignal.any` would keep each call in memory for the full time. */
export function startCallTimeout(runSignal: AbortSignal | undefined): CallTimeout {
  const controller = new AbortController();
  const start = (ms: number) =>
    setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms).unref();
  let timer = start(RPC_TIMEOUT_MS);
  const abort = () => controller.abort(runSignal?.reason);
  runSignal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    extend: () => {
      clearTimeout(timer);
      timer = start(BIG_RESPONSE_TIMEOUT_MS);
    },
    clear: () => {
      clearTimeout(timer);
      runSignal?.removeEventListener('abort', abort);
    },
  };
}
