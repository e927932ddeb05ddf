import type { RequestContext } from '../rpc/retry.ts';

/** After enough good answers, the others have this long: a silent endpoint must not delay a run. */
const GRACE_MS = 5_000;

/**
 * Waits for all answers, or until those of enough hosts are good and the grace period is over.
 * @param hostOf returns the host of a good answer
 * @returns each answer, undefined where it did not come in time
 */
export async function inTime<T>(
  { clock, signal }: RequestContext,
  requests: readonly Promise<T>[],
  hostOf: (answer: T) => string | undefined,
  enough: number,
): Promise<readonly (T | undefined)[]> {
  const answers = Array<T | undefined>(requests.length).fill(undefined);
  const isEnough = Promise.withResolvers<void>();
  const good = new Set<string>();
  const all = Promise.all(
    requests.map(async (request, index) => {
      const answer = await request;
      answers[index] = answer;
      const host = hostOf(answer);
      if (host !== undefined) good.add(host);
      if (good.size >= enough) isEnough.resolve();
    }),
  );
  await Promise.race([all, isEnough.promise]);
  const grace = new AbortController();
  const graceIsOver = clock.sleep(GRACE_MS, AbortSignal.any([signal, grace.signal]));
  await Promise.race([all, graceIsOver]);
  grace.abort();
  return answers;
}

/**
 * Does work whose calls have a time limit of their own. If the run is over already, they end with that limit alone.
 * @param ms the limit
 * @returns undefined when the time is over
 */
export async function within<T>(
  context: RequestContext,
  ms: number,
  work: (context: RequestContext) => Promise<T>,
): Promise<T | undefined> {
  const { clock, signal } = context;
  const limit = new AbortController();
  const timer = new AbortController();
  const isRunOver = signal.aborted;
  clock.sleep(ms, timer.signal).then(
    () => limit.abort(new Error('out of time')),
    () => {},
  );
  try {
    const either = isRunOver ? limit.signal : AbortSignal.any([signal, limit.signal]);
    return await work({ ...context, signal: either });
  } catch (error) {
    if (limit.signal.aborted && (isRunOver || !signal.aborted)) return undefined;
    throw error;
  } finally {
    timer.abort();
  }
}
