import { setTimeout as wait } from 'node:timers/promises';

/** Time as the ingest sees it. The simulation of the tests has one of its own, in which hours pass at once. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Waits; rejects with the signal's reason as soon as that aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A random time between half of the given one and all of it, so that waiting callers do not come back all at once. */
  readonly jitter: (ms: number) => number;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    wait(Math.min(Math.max(ms, 0), LONGEST_TIMER_MS), undefined, { signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    }),
  jitter: (ms) => ms * (0.5 + Math.random() / 2),
};
