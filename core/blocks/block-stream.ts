import { isDeepStrictEqual } from 'node:util';
import type { BlockRef, SummedBlock } from '../figures/block.ts';
import type { BlockSource, EndOfBlocks } from './block-source.ts';

/** The place of the last block, the last block to read, and the feed. */
type Wanted = Parameters<BlockSource['blocks']>;

/** The next block of a stream, or the reason why there is none. */
export type NextBlock = { readonly kind: 'block'; readonly block: SummedBlock } | EndOfBlocks;

/** The blocks between two places, in order. */
export interface BlockStream {
  readonly peek: () => Promise<NextBlock>;
  readonly take: () => void;
  /** Returns whether the next block of the stream is the one after another start, up to the same end and with the same prices. */
  readonly isAt: (...wanted: Wanted) => boolean;
  readonly close: () => Promise<void>;
}

/**
 * Opens a stream of the blocks after `start`, which ends with `end`. The next one can be seen before it is taken, since it may belong to a
 * later day.
 */
function openBlockStream(network: Pick<BlockSource, 'blocks'>, ...[start, end, feed]: Wanted): BlockStream {
  const blocks = network.blocks(start, end, feed);
  let last = start.block;
  let next: Promise<IteratorResult<SummedBlock, EndOfBlocks>> | undefined;
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
    isAt: (...[other, otherEnd, otherFeed]) =>
      !isOver && isSame(last, other.block) && isSame(end, otherEnd) && isDeepStrictEqual(feed, otherFeed),
    close: async () => {
      next = blocks.return({ kind: 'end reached' });
      await next;
    },
  };
}

const isSame = (a: BlockRef | undefined, b: BlockRef | undefined) =>
  a?.number === b?.number && a?.hash === b?.hash;

/** The open stream of the days of one run. */
export interface BlockReader extends AsyncDisposable {
  readonly from: (...wanted: Wanted) => Promise<BlockStream>;
}

/**
 * Opens streams of blocks, one at a time. `from` reuses the open stream, with the blocks that it read ahead, if it stands at `start` and
 * reads the same prices.
 */
export function createBlockReader(network: Pick<BlockSource, 'blocks'>): BlockReader {
  let stream: BlockStream | undefined;
  return {
    from: async (...wanted) => {
      if (stream?.isAt(...wanted)) return stream;
      await stream?.close();
      stream = openBlockStream(network, ...wanted);
      return stream;
    },
    [Symbol.asyncDispose]: async () => stream?.close(),
  };
}
