import type { BlockHeader, SeenBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { NoEndpointError } from '../rpc/retry.ts';
import { checkFollows } from './check-link.ts';

type SeenHeader = BlockHeader & SeenBlock;

/**
 * The first block at or after a time, and the one before it: a lower-bound search, because block times change and
 * timestamps repeat. Both sides of the boundary are looked at and must follow one another.
 * @param time seconds
 * @param head a block at or after that time
 * @param headerAt reads the header of a block; what it gives must pass the check, which throws BlockError
 * @returns `before` is absent when genesis itself is at or after the time
 * @throws BlockError when the two blocks at the boundary do not belong to one chain; NoEndpointError when one of those
 *   that the search needs cannot be had
 */
export async function findFirstBlock(
  chain: string,
  time: number,
  head: SeenHeader,
  headerAt: (number: number, check: (header: BlockHeader) => void) => Promise<SeenHeader>,
): Promise<{ first: SeenHeader; before?: SeenHeader }> {
  let before: SeenHeader | undefined;
  let first = head;
  let lost: NoEndpointError | undefined;
  // The newest block that is known to come before the boundary, or to be so old that nobody has it.
  let low = -1;
  // Back from the head in longer and longer steps: nodes that keep only recent blocks are not asked for much older ones.
  let step = 1;
  while (first.number > low + 1) {
    const halfWay = low + Math.floor((first.number - low) / 2);
    const next = low < 0 ? Math.max(first.number - step, 0) : halfWay;
    step *= 2;
    const [earliest, latest] = [before?.timestamp ?? 0, first.timestamp];
    const read = await headerAt(next, ({ number, timestamp }) => {
      if (timestamp >= earliest && timestamp <= latest) return;
      throw new BlockError(
        { chain, block: number },
        `its timestamp ${timestamp} is not between ${earliest} and ${latest}, those of blocks around it`,
      );
    }).catch((error: unknown) => {
      if (!(error instanceof NoEndpointError && error.isUnavailable)) throw error;
      lost = error;
    });
    if (read && read.timestamp >= time) first = read;
    else {
      before = read ?? undefined;
      low = next;
    }
  }
  if (!before) {
    // Only where it was just the one before the first that nobody has, is that a reason to end.
    if (lost) throw lost;
    return { first };
  }
  checkFollows(chain, before, first);
  return { first, before };
}
