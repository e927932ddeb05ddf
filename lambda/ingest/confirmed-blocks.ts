import { pMapIterable } from 'p-map';
import type { BlockHeader } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import type { Chain } from '../chains/chains.ts';
import type { Endpoint } from '../rpc/endpoint.ts';
import { checkFollows, checkNotBefore } from './check-link.ts';
import { readBlock, type SummedBlock } from './read-block.ts';

const BLOCKS_IN_FLIGHT = 8;

/**
 * Reads the blocks from `first` to the finalized head, several at a time, and gives them in order, each only once it is
 * known to be part of the finalized chain: when its child names it as its parent, or it is the head itself. So an
 * orphan or a wrong timestamp from one bad answer is found before anything is concluded from it.
 * @throws BlockError when the blocks are no chain, NoEndpointError when one of them cannot be had
 */
export async function* confirmedBlocks(
  chain: Chain,
  endpoints: readonly Endpoint[],
  first: number,
  head: BlockHeader,
): AsyncGenerator<SummedBlock> {
  const blocks = pMapIterable(numbers(first, head.number), (number) => readBlock(chain, endpoints, number), {
    concurrency: BLOCKS_IN_FLIGHT,
  });
  let unconfirmed: SummedBlock | undefined;
  for await (const block of blocks) {
    if (unconfirmed) {
      checkFollows(chain.name, unconfirmed, block);
      checkNotBefore(chain.name, unconfirmed.timestamp, block);
      yield unconfirmed;
    }
    unconfirmed = block;
  }
  if (!unconfirmed) return;
  checkIsHead(chain, unconfirmed, head);
  yield unconfirmed;
}

function checkIsHead(chain: Chain, { number, hash, timestamp }: SummedBlock, head: BlockHeader): void {
  if (hash === head.hash && timestamp === head.timestamp) return;
  throw new BlockError(
    { chain: chain.name, block: number },
    `read as ${hash} at ${timestamp}, but finalized as ${head.hash} at ${head.timestamp}`,
  );
}

function* numbers(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}
