import type { BlockHeader } from '../chains/block.ts';
import { checkFollows } from './check-link.ts';

/**
 * The first block at or after a time, and the one before it: a lower-bound search, because block times change and
 * timestamps repeat. Both sides of the boundary are looked at and must follow one another.
 * @param time seconds
 * @param head a block at or after that time
 * @param headerAt reads the header of a block
 * @returns `before` is absent when genesis itself is at or after the time
 * @throws BlockError when the two blocks at the boundary do not belong to one chain
 */
export async function findFirstBlock(
  chain: string,
  time: number,
  head: BlockHeader,
  headerAt: (number: number) => Promise<BlockHeader>,
): Promise<{ first: BlockHeader; before?: BlockHeader }> {
  let before: BlockHeader | undefined;
  let first = head;
  while (first.number > (before?.number ?? -1) + 1) {
    const low = before?.number ?? -1;
    const middle = await headerAt(low + Math.floor((first.number - low) / 2));
    if (middle.timestamp < time) before = middle;
    else first = middle;
  }
  if (!before) return { first };
  checkFollows(chain, before, first);
  return { first, before };
}
