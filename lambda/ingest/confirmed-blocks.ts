import { pMapIterable } from 'p-map';
import type { BlockHeader, KnownBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { NoEndpointError, requestWithRetry } from '../rpc/retry.ts';
import { checkLinks, type Parent } from './check-link.ts';
import { type Source, upstreamsFor } from './endpoint-probe.ts';
import { readBlock, readBlockFrom, type SummedBlock } from './read-block.ts';
import { assertCanonical } from './reorg.ts';

/** The block before the first one to read; absent before genesis. */
export interface Start extends Parent {
  readonly block?: KnownBlock | undefined;
}

/** Blocks to read ahead. The health of the endpoints limits the concurrent calls. */
const BLOCKS_AHEAD = 32;

/**
 * Reads the blocks after `start` up to the finalized head, concurrently, and yields them in order. It yields a block only when
 * its child names it as the parent, or when it is the head. So an orphaned block or a wrong timestamp from one bad response is
 * found before any later step depends on it.
 * @throws NoEndpointError when no endpoint returns a valid block; OrphanedBlockError when `start` is orphaned
 */
export async function* confirmedBlocks(source: Source, start: Start): AsyncGenerator<SummedBlock, undefined> {
  const { chain, head } = source;
  const first = start.block ? start.block.number + 1 : 0;
  const blocks = pMapIterable(numbers(first, head.number), (number) => readBlock(source, number), {
    concurrency: BLOCKS_AHEAD,
  });
  let parent = start;
  let unconfirmed: SummedBlock | undefined;
  for await (const block of blocks) {
    const read = unconfirmed ? [unconfirmed, block] : [block];
    const linked = await inOneChain(source, parent, read, (blocks) => checkLinks(chain.name, parent, blocks));
    if (unconfirmed && linked[0]) {
      yield linked[0];
      parent = { block: linked[0], notBefore: linked[0].timestamp };
    }
    unconfirmed = linked.at(-1);
  }
  if (!unconfirmed) return;
  yield* await inOneChain(source, parent, [unconfirmed], (blocks) => {
    checkLinks(chain.name, parent, blocks);
    for (const block of blocks) checkIsHead(chain.name, block, head);
  });
}

/**
 * Returns blocks that pass a check of their links. If those that were read fail it, there is no telling which one is wrong, so
 * all of them are read again from a single endpoint.
 */
async function inOneChain(
  source: Source,
  parent: Start,
  read: readonly SummedBlock[],
  check: (blocks: readonly SummedBlock[]) => void,
): Promise<readonly SummedBlock[]> {
  try {
    check(read);
    return read;
  } catch (error) {
    if (!(error instanceof BlockError)) throw error;
  }
  const last = Math.max(...read.map(({ number }) => number));
  try {
    return await requestWithRetry(
      source.context,
      upstreamsFor(source, last),
      `${source.chain.name} block ${last} and its parent`,
      async (rpc, host) => {
        const blocks = await Promise.all(read.map(({ number }) => readBlockFrom(source, number, rpc, host)));
        check(blocks);
        return blocks;
      },
    );
  } catch (error) {
    if (error instanceof NoEndpointError && parent.block) await assertCanonical(source, parent.block);
    throw error;
  }
}

function checkIsHead(chain: string, { number, hash, timestamp }: SummedBlock, head: BlockHeader): void {
  if (hash === head.hash && timestamp === head.timestamp) return;
  throw new BlockError(
    { chain, block: number },
    `it was read as ${hash} at ${timestamp}, but the finalized head is ${head.hash} at ${head.timestamp}`,
  );
}

function* numbers(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}
