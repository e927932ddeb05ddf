import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, systemClock } from '#core/clock.ts';

/**
 * A clock that runs faster than the real one. A sleep also takes many turns of the event loop, so that responses of servers in
 * this process never come too late on a busy machine.
 * @param start milliseconds since 1970
 */
export function fastClock(times = 1_000, start = Date.now()): Clock {
  const begun = Date.now();
  return {
    now: () => start + (Date.now() - begun) * times,
    sleep: async (ms, signal) => {
      await systemClock.sleep(ms / times, signal);
      await turns(ms / 50, signal);
    },
    jitter: (ms) => ms,
  };
}

/** Waits some turns of the event loop, which a response of a server in this process needs. */
export async function turns(count: number, signal?: AbortSignal): Promise<void> {
  for (let made = 0; made < count; made++) {
    await turn();
    signal?.throwIfAborted();
  }
}

export interface SteppedClock extends Clock {
  /** The length of each sleep, in milliseconds. */
  readonly slept: readonly number[];
}

/** A clock that advances only by sleeps, which resolve at once. */
export function steppedClock(start = Date.parse('2026-11-20T00:00:00Z')): SteppedClock {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
    jitter: (ms) => ms,
  };
}
