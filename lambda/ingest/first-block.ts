import type { BlockHeader, SeenBlock } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';
import { checkFollows } from './check-link.ts';

type SeenHeader = BlockHeader & SeenBlock;

/**
 * The first block at or after a time, and the one before it: a lower-bound search, because block times change and
 * timestamps repeat. Both sides of the boundary are looked at and must follow one another.
 * @param time seconds
 * @param head a block at or after that time
 * @param headerAt reads the header of a block; what it gives must pass the check, which throws BlockError
 * @returns `before` is absent when genesis itself is at or after the time
 * @throws BlockError when the two blocks at the boundary do not belong to one chain
 */
export async function findFirstBlock(
  chain: string,
  time: number,
  head: SeenHeader,
  headerAt: (number: number, check: (header: BlockHeader) => void) => Promise<SeenHeader>,
): Promise<{ first: SeenHeader; before?: SeenHeader }> {
  let before: SeenHeader | undefined;
  let first = head;
  // Back from the head in longer and longer steps: a node that keeps only recent blocks is not asked for older ones.
  let step = 1;
  while (first.number > (before?.number ?? -1) + 1) {
    const low = before?.number ?? -1;
    const halfWay = low + Math.floor((first.number - low) / 2);
    const [earliest, latest] = [before?.timestamp ?? 0, first.timestamp];
    const next = before ? halfWay : Math.max(first.number - step, 0);
    step *= 2;
    const middle = await headerAt(next, ({ number, timestamp }) => {
      if (timestamp >= earliest && timestamp <= latest) return;
      throw new BlockError(
        { chain, block: number },
        `its timestamp ${timestamp} is not between ${earliest} and ${latest}, those of blocks around it`,
      );
    });
    if (middle.timestamp < time) before = middle;
    else first = middle;
  }
  if (!before) return { first };
  checkFollows(chain, before, first);
  return { first, before };
}
