import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats work until it succeeds.
 * @throws the last error when it has not succeeded within the limit
 */
export async function eventually<T>(
  work: () => Promise<T>,
  { limitMs, pauseMs }: { readonly limitMs: number; readonly pauseMs: number },
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() + pauseMs >= end) throw error;
    }
    await sleep(pauseMs);
  }
}
