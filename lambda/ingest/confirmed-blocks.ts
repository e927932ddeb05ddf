import { pMapIterable } from 'p-map';
import type { BlockHeader, KnownBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { NoEndpointError, requestWithRetry } from '../rpc/retry.ts';
import { checkLinks, type Parent } from './check-link.ts';
import { crossCheck } from './cross-check.ts';
import { type Source, upstreamsFor } from './endpoint-probe.ts';
import { readBlock, readBlockFrom, type SummedBlock } from './read-block.ts';

/** Where the blocks begin: after a known one, or with genesis. */
export interface Start extends Parent {
  readonly block?: KnownBlock | undefined;
}

/** The block that all others were to follow is one that no endpoint knows any more: what was built on it is worthless. */
export class OrphanedBlockError extends Error {
  override readonly name = 'OrphanedBlockError';

  constructor(chain: string, { number, hash, host }: KnownBlock) {
    super(
      `${chain} block ${number}, read as ${hash}${host ? ` from ${host}` : ''}: no endpoint tells the same any more. ` +
        'The day is read from its start; where this is the end of a day that is final, restate that one',
    );
  }
}

/** Blocks that are read ahead; how many calls that makes at once is for the endpoints' health to say. */
const BLOCKS_AHEAD = 32;

/**
 * Reads the blocks after `start` to the finalized head, many at a time, and gives them in order, each only once it is
 * known to be part of the finalized chain: when its child names it as its parent, or it is the head itself. So an
 * orphan or a wrong timestamp from one bad answer is found before anything is concluded from it.
 * @throws NoEndpointError when a block cannot be had, or none that fits between the others; OrphanedBlockError when that
 *   is because of `start`
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
    const linked = await inOneChain(source, parent, read, (found) => checkLinks(chain.name, parent, found));
    if (unconfirmed && linked[0]) {
      yield linked[0];
      parent = { block: linked[0], notBefore: linked[0].timestamp };
    }
    unconfirmed = linked.at(-1);
  }
  if (!unconfirmed) return;
  yield* await inOneChain(source, parent, [unconfirmed], (found) => {
    checkLinks(chain.name, parent, found);
    for (const block of found) checkIsHead(chain.name, block, head);
  });
}

/**
 * Blocks that pass a check of how they fit together: as they were read, or else all of them anew from a single endpoint.
 * Which of those that were read is wrong cannot be told, but an endpoint that is right about all of them settles it.
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
      `${source.chain.name} block ${last} and how it follows`,
      async (rpc, host) => {
        const blocks = await Promise.all(read.map(({ number }) => readBlockFrom(source, number, rpc, host)));
        check(blocks);
        return blocks;
      },
    );
  } catch (error) {
    if (!(error instanceof NoEndpointError) || !parent.block) throw error;
    if ((await crossCheck(source, parent.block)) === 'canonical') throw error;
    throw new OrphanedBlockError(source.chain.name, parent.block);
  }
}

function checkIsHead(chain: string, { number, hash, timestamp }: SummedBlock, head: BlockHeader): void {
  if (hash === head.hash && timestamp === head.timestamp) return;
  throw new BlockError(
    { chain, block: number },
    `read as ${hash} at ${timestamp}, but finalized as ${head.hash} at ${head.timestamp}`,
  );
}

function* numbers(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number++) yield number;
}
