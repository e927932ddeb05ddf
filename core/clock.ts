import { setTimeout as wait } from 'node:timers/promises';

/** The time of the ingest. The simulation replaces it with virtual time. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Waits; rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a random time between `ms / 2` and `ms`, so that callers do not retry all at once. */
  readonly jitter: (ms: number) => number;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    wait(Math.min(Math.max(ms, 0), MAX_TIMER_MS), undefined, { signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    }),
  jitter: (ms) => ms * (0.5 + Math.random() / 2),
};
