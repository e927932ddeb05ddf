import type { BlockHeader, SeenBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { NoEndpointError } from '../rpc/retry.ts';
import { checkFollows } from './check-link.ts';

type SeenHeader = BlockHeader & SeenBlock;

/**
 * Finds the first block at or after a time, and the one before it, by a binary search: block times change and timestamps
 * repeat. The two blocks must be parent and child.
 * @param time seconds
 * @param head a block at or after that time
 * @param headerAt reads the header of a block that passes the check, which throws BlockError
 * @returns `before` is absent when genesis is at or after the time
 * @throws BlockError when the two blocks are not parent and child; NoEndpointError when a block that the search needs is
 *   unavailable
 */
export async function findFirstBlock(
  chain: string,
  time: number,
  head: SeenHeader,
  headerAt: (number: number, check: (header: BlockHeader) => void) => Promise<SeenHeader>,
): Promise<{ first: SeenHeader; before?: SeenHeader }> {
  let before: SeenHeader | undefined;
  let first = head;
  let unavailable: NoEndpointError | undefined;
  // The newest block before the boundary, or too old for every endpoint.
  let low = -1;
  // Steps back from the head grow exponentially, so that nodes that keep only recent blocks are not asked for much older ones.
  let step = 1;
  while (first.number > low + 1) {
    const middle = low + Math.floor((first.number - low) / 2);
    const next = low < 0 ? Math.max(first.number - step, 0) : middle;
    step *= 2;
    const check = timeCheck(chain, before?.timestamp ?? 0, first.timestamp);
    const read = await headerAt(next, check).catch((error: unknown) => {
      if (!(error instanceof NoEndpointError && error.isUnavailable)) throw error;
      unavailable = error;
    });
    if (read && read.timestamp >= time) first = read;
    else {
      before = read ?? undefined;
      low = next;
    }
  }
  if (!before) {
    // An unavailable block matters only if it is the one before the boundary.
    if (unavailable) throw unavailable;
    return { first };
  }
  checkFollows(chain, before, first);
  return { first, before };
}

const timeCheck =
  (chain: string, earliest: number, latest: number) =>
  ({ number, timestamp }: BlockHeader): void => {
    if (timestamp >= earliest && timestamp <= latest) return;
    throw new BlockError(
      { chain, block: number },
      `its timestamp ${timestamp} is not between ${earliest} and ${latest}, the timestamps of the blocks around it`,
    );
  };
