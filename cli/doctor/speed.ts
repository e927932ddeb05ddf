import { formatCount } from '../print.ts';

/** How long calls took, milliseconds. */
export interface Latency {
  readonly median_ms: number;
  readonly p95_ms: number;
}

/** Calls that follow one another, each timed. */
export async function measureLatency(
  times: number,
  ask: (index: number) => Promise<unknown>,
): Promise<Latency> {
  const taken: number[] = [];
  for (let index = 0; index < times; index++) {
    const startedAt = performance.now();
    await ask(index);
    taken.push(performance.now() - startedAt);
  }
  return { median_ms: Math.round(percentile(taken, 0.5)), p95_ms: Math.round(percentile(taken, 0.95)) };
}

/** The smallest of some values that so large a share of them does not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** How many calls an endpoint was given at once, and what it made of them. */
export interface Limits {
  /** Calls at once that gave the most calls a second. */
  readonly calls_at_once: number;
  readonly calls_per_second: number;
  /** Where it refused, or was silent: so many calls at once, and its words. */
  readonly refused?: { readonly calls_at_once: number; readonly reason: string };
}

/** As many as the ingest makes at most (lambda/rpc/circuit-breaker.ts). */
const LEVELS = [1, 2, 4, 8, 16, 32];
/** Each is held for so long, or for so many calls in a row: enough to tell, and little beside a day's blocks. */
const LEVEL_MS = 500;
const ROUNDS = 16;

/**
 * Raises the calls at once step by step, up to the first refusal.
 * @param ask makes a call, the index being another one each time
 * @param reasonOf what an error says; throws it again when it is none of the endpoint's
 */
export async function measureLimits(
  ask: (index: number) => Promise<unknown>,
  reasonOf: (error: unknown) => string,
): Promise<Limits> {
  let best = { calls_at_once: 0, calls_per_second: 0 };
  for (const atOnce of LEVELS) {
    const { rate, errors } = await holdLevel(atOnce, ask);
    const [reason] = errors.map(reasonOf);
    if (reason !== undefined) return { ...best, refused: { calls_at_once: atOnce, reason } };
    if (rate > best.calls_per_second) best = { calls_at_once: atOnce, calls_per_second: rate };
  }
  return best;
}

/** @returns the calls a second with one decimal, and what went wrong */
async function holdLevel(
  atOnce: number,
  ask: (index: number) => Promise<unknown>,
): Promise<{ rate: number; errors: readonly unknown[] }> {
  const startedAt = performance.now();
  const errors: unknown[] = [];
  let calls = 0;
  const isOver = () =>
    errors.length > 0 || calls >= atOnce * ROUNDS || performance.now() - startedAt > LEVEL_MS;
  const callAgain = async () => {
    while (!isOver()) await ask(calls++);
  };
  await Promise.all(
    Array.from({ length: atOnce }, () => callAgain().catch((error: unknown) => errors.push(error))),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return { rate: Math.round((calls / seconds) * 10) / 10, errors };
}

/** Calls a second as people read them. */
export const shownRate = (rate: number): string =>
  rate < 10 ? String(Number(rate.toPrecision(2))) : formatCount(Math.round(rate));
