import type { BlockRef } from '../figures/block.ts';
import { type BlockStream, openBlockStream, type Place } from './blocks/block-stream.ts';
import type { Source } from './source.ts';

/** Opens streams of blocks, one at a time. `from` reuses the open stream, with the blocks that it read ahead, if it stands at `start`. */
export interface BlockReader extends AsyncDisposable {
  readonly from: (start: Place, end: BlockRef) => Promise<BlockStream>;
}

export function createBlockReader(source: Source): BlockReader {
  let stream: BlockStream | undefined;
  return {
    from: async (start, end) => {
      if (stream?.isAt(start, end)) return stream;
      await stream?.close();
      stream = openBlockStream(source, start, end);
      return stream;
    },
    [Symbol.asyncDispose]: async () => stream?.close(),
  };
}
