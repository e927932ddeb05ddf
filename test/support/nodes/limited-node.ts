import type { Answer, NodeAnswer, NodeResponse } from './json-rpc-server.ts';

const LATENCY_MS = 50;

export interface LimitedNode {
  readonly answer: Answer;
  /** Returns the number of calls that were refused. */
  readonly refused: () => number;
}

/**
 * A node that bears some calls a second, and as many at once, and refuses the others.
 * @param clock virtual, so that the same calls are refused each time
 */
export function limitedNode(
  perSecond: number,
  clock: { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> },
  refusal: NodeResponse,
  answer: NodeAnswer,
): LimitedNode {
  let [left, seenAt, refused] = [perSecond, clock.now(), 0];
  return {
    answer: async (call) => {
      await clock.sleep(LATENCY_MS);
      const now = clock.now();
      left = Math.min(perSecond, left + ((now - seenAt) / 1_000) * perSecond);
      seenAt = now;
      if (left < 1) {
        refused += 1;
        return refusal;
      }
      left -= 1;
      return answer(call);
    },
    refused: () => refused,
  };
}
