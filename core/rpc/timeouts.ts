/** Time limit of one JSON-RPC call, from the request to the end of the response. */
export const RPC_TIMEOUT_MS = 30_000;

/** A signal that aborts when the time of a call is over, or when another signal aborts. */
export interface CallTimeout {
  readonly signal: AbortSignal;
  /** Releases the timer. Must be called after the call. */
  readonly clear: () => void;
}

/** Starts the timeout of a call. AbortSignal.timeout and any would keep each call in memory for the full time. */
export function startCallTimeout(runSignal: AbortSignal | undefined): CallTimeout {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException('too late', 'TimeoutError')),
    RPC_TIMEOUT_MS,
  );
  timer.unref();
  const abort = () => controller.abort(runSignal?.reason);
  runSignal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      runSignal?.removeEventListener('abort', abort);
    },
  };
}
