import type { Source } from '../endpoints.ts';
import { confirmedBlocks, type Start, type StreamEnd } from './confirm.ts';
import type { SummedBlock } from './read.ts';

/** Confirmed blocks in order. The next one can be seen before it is taken, since it may belong to a later day. */
export interface BlockStream {
  readonly peek: () => Promise<{ readonly kind: 'block'; readonly block: SummedBlock } | StreamEnd>;
  readonly take: () => void;
  /** Returns whether the next block of the stream is the one that follows `start`. */
  readonly isAt: (start: Start) => boolean;
  readonly close: () => Promise<void>;
}

export function openBlockStream(source: Source, start: Start): BlockStream {
  const blocks = confirmedBlocks(source, start);
  let last = start.block;
  let next: ReturnType<typeof blocks.next> | undefined;
  let seen: SummedBlock | undefined;
  return {
    peek: async () => {
      next ??= blocks.next();
      const { done, value } = await next;
      if (done) return value;
      seen = value;
      return { kind: 'block', block: value };
    },
    take: () => {
      last = seen;
      next = undefined;
    },
    isAt: ({ block }) => last?.number === block?.number && last?.hash === block?.hash,
    close: async () => {
      next = blocks.return({ kind: 'head reached' });
      await next;
    },
  };
}
