/** Time limit of one JSON-RPC call, from the request to the end of the response. */
export const RPC_TIMEOUT_MS = 30_000;

/** Time limit from the turn of a big response on. Its rate is watched, and 256 MB take 128 s at the lowest rate. */
const BIG_RESPONSE_TIMEOUT_MS = 150_000;

/** Starts the timeout of a call, whose signal aborts when that is over, or another signal does. `AbortSignal.timeout` and `AbortSignal.any` would keep each call in memory for the full time. */
export function startCallTimeout(runSignal: AbortSignal | undefined) {
  const controller = new AbortController();
  const start = (ms: number) =>
    setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms).unref();
  let timer = start(RPC_TIMEOUT_MS);
  const abort = () => controller.abort(runSignal?.reason);
  runSignal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    /** Gives a big response more time from now on. */
    extend: () => {
      clearTimeout(timer);
      timer = start(BIG_RESPONSE_TIMEOUT_MS);
    },
    /** Must be called after the call. */
    clear: () => {
      clearTimeout(timer);
      runSignal?.removeEventListener('abort', abort);
    },
  };
}
