import { confirmedBlocks, type Start } from './confirmed-blocks.ts';
import type { Source } from './endpoint-probe.ts';
import type { SummedBlock } from './read-block.ts';

/** Confirmed blocks in order. A reader peeks at the next block first, because it may belong to a later day. */
export interface BlockStream {
  /** Returns the next block, or undefined at the finalized head. */
  readonly peek: () => Promise<SummedBlock | undefined>;
  readonly take: () => void;
  /** Returns whether the next block is the one after `start`. */
  readonly isAt: (start: Start) => boolean;
  readonly close: () => Promise<void>;
}

export function openBlockStream(source: Source, start: Start): BlockStream {
  const blocks = confirmedBlocks(source, start);
  let last = start.block;
  let next: Promise<IteratorResult<SummedBlock, undefined>> | undefined;
  let seen: SummedBlock | undefined;
  return {
    peek: async () => {
      next ??= blocks.next();
      seen = (await next).value;
      return seen;
    },
    take: () => {
      last = seen;
      next = undefined;
    },
    isAt: ({ block }) => last?.number === block?.number && last?.hash === block?.hash,
    close: async () => {
      await blocks.return(undefined);
    },
  };
}
