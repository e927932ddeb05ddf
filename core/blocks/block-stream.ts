import { isDeepStrictEqual } from 'node:util';
import type { BlockRef, SummedBlock } from '../figures/block.ts';
import type { PriceSource } from '../figures/dollars.ts';
import type { BlockSource, EndOfBlocks } from './block-source.ts';
import type { ChainPosition } from './link-problems.ts';

/** Linked blocks in order. The next one can be seen before it is taken, since it may belong to a later day. */
export interface BlockStream {
  readonly peek: () => Promise<{ readonly kind: 'block'; readonly block: SummedBlock } | EndOfBlocks>;
  readonly take: () => void;
  /** Returns whether the next block of the stream is the one after `start`, up to `end`. */
  readonly isAt: (start: ChainPosition, end: BlockRef) => boolean;
  readonly close: () => Promise<void>;
}

/** Opens a stream of the blocks after `start`, which ends with `end`. */
export function openBlockStream(
  source: Pick<BlockSource, 'blocks'>,
  start: ChainPosition,
  end: BlockRef,
  feed?: PriceSource,
): BlockStream {
  const blocks = source.blocks(start, end, feed);
  let last = start.block;
  let next: ReturnType<typeof blocks.next> | undefined;
  let seen: SummedBlock | undefined;
  let isOver = false;
  return {
    peek: async () => {
      next ??= blocks.next();
      const { done, value } = await next;
      if (done) {
        isOver = true;
        return value;
      }
      seen = value;
      return { kind: 'block', block: value };
    },
    take: () => {
      last = seen;
      next = undefined;
    },
    isAt: (other, otherEnd) => !isOver && isSame(last, other.block) && isSame(end, otherEnd),
    close: async () => {
      next = blocks.return({ kind: 'end reached' });
      await next;
    },
  };
}

const isSame = (a: BlockRef | undefined, b: BlockRef | undefined) =>
  a?.number === b?.number && a?.hash === b?.hash;

export type BlockReader = ReturnType<typeof createBlockReader>;

/**
 * Opens streams of blocks, one at a time. `from` reuses the open stream, with the blocks that it read ahead, if it stands at `start` and
 * reads the same prices.
 */
export function createBlockReader(source: Pick<BlockSource, 'blocks'>) {
  let stream: BlockStream | undefined;
  let feedRead: PriceSource | undefined;
  return {
    from: async (start: ChainPosition, end: BlockRef, feed?: PriceSource) => {
      if (stream?.isAt(start, end) && isDeepStrictEqual(feed, feedRead)) return stream;
      await stream?.close();
      feedRead = feed;
      stream = openBlockStream(source, start, end, feed);
      return stream;
    },
    [Symbol.asyncDispose]: async () => stream?.close(),
  };
}
