import { isDeepStrictEqual } from 'node:util';
import type { BlockRef, SummedBlock } from '../figures/block.ts';
import type { BlockSource } from './block-source.ts';

/** The place of the last block, the last block to read, and the feed. */
type Wanted = Parameters<BlockSource['blocks']>;

export type BlockStream = ReturnType<typeof openBlockStream>;

/**
 * Opens a stream of the blocks after `start`, which ends with `end`. The next one can be seen before it is taken, since it may belong to a
 * later day.
 */
function openBlockStream(network: Pick<BlockSource, 'blocks'>, ...[start, end, feed]: Wanted) {
  const blocks = network.blocks(start, end, feed);
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
      return { kind: 'block', block: value } as const;
    },
    take: () => {
      last = seen;
      next = undefined;
    },
    /** Returns whether the next block of the stream is the one after another start, up to the same end and with the same prices. */
    isAt: (...[other, otherEnd, otherFeed]: Wanted) =>
      !isOver && isSame(last, other.block) && isSame(end, otherEnd) && isDeepStrictEqual(feed, otherFeed),
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
export function createBlockReader(network: Pick<BlockSource, 'blocks'>) {
  let stream: BlockStream | undefined;
  return {
    from: async (...wanted: Wanted) => {
      if (stream?.isAt(...wanted)) return stream;
      await stream?.close();
      stream = openBlockStream(network, ...wanted);
      return stream;
    },
    [Symbol.asyncDispose]: async () => stream?.close(),
  };
}
