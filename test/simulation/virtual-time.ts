/** Virtual time: when all work waits, time jumps to the earliest wake-up. */
export interface VirtualTime {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Waits; rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Does work during which no time passes. */
  readonly during: <T>(work: Promise<T>) => Promise<T>;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export function virtualTime(start: number): VirtualTime {
  let now = start;
  let working = 0;
  let isTurning = false;
  const sleepers: Sleeper[] = [];

  // One turn of the event loop between two wake-ups, so that all effects of the first come before the second.
  const turn = () => {
    isTurning = false;
    const next = working === 0 ? sleepers.shift() : undefined;
    if (next) {
      now = Math.max(now, next.until);
      next.wake();
    }
    keepTurning();
  };
  const keepTurning = () => {
    if (isTurning || (working === 0 && sleepers.length === 0)) return;
    isTurning = true;
    setImmediate(turn);
  };

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = () => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          until: now + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        signal?.addEventListener('abort', stop, { once: true });
        // After earlier sleeps with the same wake-up time.
        const place = sleepers.findIndex(({ until }) => until > sleeper.until);
        sleepers.splice(place < 0 ? sleepers.length : place, 0, sleeper);
        keepTurning();
      }),
    during: async (work) => {
      working += 1;
      try {
        return await work;
      } finally {
        working -= 1;
        keepTurning();
      }
    },
  };
}
