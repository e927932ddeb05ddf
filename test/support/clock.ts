import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, systemClock } from '../../lambda/clock.ts';

/**
 * A clock that runs so many times as fast as the real one, from now on. A sleep also takes many turns of the event
 * loop, so that what servers in this process answer at once never comes too late, however busy the machine is.
 */
export function fastClock(times = 1_000): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * times,
    sleep: async (ms, signal) => {
      await systemClock.sleep(ms / times, signal);
      await turns(ms / 50, signal);
    },
    jitter: (ms) => ms,
  };
}

/** Turns of the event loop: what servers in this process answer at once takes a few. */
export async function turns(count: number, signal?: AbortSignal): Promise<void> {
  for (let made = 0; made < count; made++) {
    await turn();
    signal?.throwIfAborted();
  }
}

export interface SteppedClock extends Clock {
  /** How long each sleep was, in milliseconds. */
  readonly slept: readonly number[];
}

/** A clock that stands still but for sleeps, which are over at once. */
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
