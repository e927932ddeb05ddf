import type { Answer, NodeAnswer } from './json-rpc-server.ts';

const LATENCY_MS = 50;

/** Calls that a node bears in a period. */
export interface CallLimit {
  readonly calls: number;
  readonly everyMs: number;
  /** All calls of a period come back when it ends; otherwise one after the other. */
  readonly isWindow?: boolean;
}

export interface LimitedNode {
  readonly answer: Answer;
  /** Returns the number of calls that were refused. */
  readonly refused: () => number;
}

/**
 * A node that bears some calls in a period, and as many at once, and refuses the others.
 * @param clock virtual, so that the same calls are refused each time
 */
export function limitedNode(
  { calls, everyMs, isWindow = false }: CallLimit,
  clock: { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> },
  refuse: NodeAnswer,
  answer: NodeAnswer,
): LimitedNode {
  let [left, seenAt, refused] = [calls, clock.now(), 0];
  const periodsUntil = (now: number) =>
    isWindow ? Math.floor(now / everyMs) - Math.floor(seenAt / everyMs) : (now - seenAt) / everyMs;
  return {
    answer: async (call) => {
      await clock.sleep(LATENCY_MS);
      const now = clock.now();
      left = Math.min(calls, left + periodsUntil(now) * calls);
      seenAt = now;
      if (left < 1) {
        refused += 1;
        return refuse(call);
      }
      left -= 1;
      return answer(call);
    },
    refused: () => refused,
  };
}
