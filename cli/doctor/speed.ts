import { formatCount } from '../print.ts';

/** Makes calls one at a time, and returns their median duration in milliseconds. */
export async function measureLatency(
  times: number,
  call: (index: number) => Promise<unknown>,
): Promise<number> {
  const durations: number[] = [];
  for (let index = 0; index < times; index++) {
    const startedAt = performance.now();
    await call(index);
    durations.push(performance.now() - startedAt);
  }
  const sorted = durations.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(times / 2)] ?? 0);
}

/** The highest call rate of an endpoint. */
export interface CallLimits {
  /** Concurrent calls at that rate. */
  readonly calls_at_once: number;
  readonly calls_per_second: number;
  /** The concurrency at which the endpoint first failed, and its error. */
  readonly refused?: { readonly calls_at_once: number; readonly reason: string };
}

/** Up to the maximum of the ingest (core/rpc/health.ts). */
const CONCURRENCY_LEVELS = [1, 2, 4, 8, 16, 32, 64];
/** Each level runs until either limit: enough to measure, few calls beside those of a day. */
const LEVEL_MS = 500;
const LEVEL_ROUNDS = 16;

/**
 * Raises the concurrency step by step until the endpoint fails or the highest level is reached.
 * @param call makes one call; the index differs each time
 * @param reasonOf describes an error of the endpoint, and throws any other
 */
export async function measureLimits(
  call: (index: number) => Promise<unknown>,
  reasonOf: (error: unknown) => string,
): Promise<CallLimits> {
  let best = { calls_at_once: 0, calls_per_second: 0 };
  for (const concurrency of CONCURRENCY_LEVELS) {
    const { rate, errors } = await measureRate(concurrency, call);
    const [reason] = errors.map(reasonOf);
    if (reason !== undefined) return { ...best, refused: { calls_at_once: concurrency, reason } };
    if (rate > best.calls_per_second) best = { calls_at_once: concurrency, calls_per_second: rate };
  }
  return best;
}

/** @returns calls per second with one decimal, and the errors that ended the measurement */
async function measureRate(
  concurrency: number,
  call: (index: number) => Promise<unknown>,
): Promise<{ rate: number; errors: readonly unknown[] }> {
  const startedAt = performance.now();
  const errors: unknown[] = [];
  let calls = 0;
  const isOver = () =>
    errors.length > 0 || calls >= concurrency * LEVEL_ROUNDS || performance.now() - startedAt > LEVEL_MS;
  const callRepeatedly = async () => {
    while (!isOver()) await call(calls++);
  };
  await Promise.all(
    Array.from({ length: concurrency }, () => callRepeatedly().catch((error: unknown) => errors.push(error))),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return { rate: Math.round((calls / seconds) * 10) / 10, errors };
}

/** Formats calls per second with two significant digits below 10. */
export const formatCallRate = (rate: number): string =>
  rate < 10 ? String(Number(rate.toPrecision(2))) : formatCount(Math.round(rate));
