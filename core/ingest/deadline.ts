import type { Clock } from '../clock.ts';

export class OutOfTimeError extends Error {}

/** Milliseconds for the last checkpoint, after everything else is aborted. */
const SAVE_WITHIN_MS = 10_000;

/**
 * Runs work that a deadline or a signal aborts. Requests to the table cannot be aborted: if saving takes too long, the work is
 * abandoned. That is safe, because each write is conditional.
 * @throws OutOfTimeError when the work did not end in time
 */
export async function withDeadline<T>(
  { stopAt, signal }: { readonly stopAt: number; readonly signal?: AbortSignal },
  clock: Clock,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const timer = new AbortController();
  const either = AbortSignal.any([timer.signal, ...(signal ? [signal] : [])]);
  const timeIsUp = clock.sleep(stopAt - clock.now(), either);
  const cutOff = timeIsUp
    .catch(() => timer.signal.throwIfAborted())
    .then(() => {
      end.abort(new OutOfTimeError());
      return clock.sleep(SAVE_WITHIN_MS, timer.signal);
    })
    .then(() => Promise.reject(new OutOfTimeError()));
  try {
    return await Promise.race([work(end.signal), cutOff]);
  } finally {
    timer.abort();
    end.abort(new Error('The run is over'));
  }
}
