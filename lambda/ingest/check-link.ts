import type { BlockRef } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';

interface Child extends BlockRef {
  readonly parentHash: string;
  readonly timestamp: number;
}

/** @throws BlockError when a block is not the child of the one before it */
export function checkFollows(chain: string, before: BlockRef, { number, parentHash }: Child): void {
  if (parentHash === before.hash) return;
  throw new BlockError(
    { chain, block: number },
    `its parent is ${parentHash}, but block ${before.number} was read as ${before.hash}`,
  );
}

/**
 * @param notBefore timestamp, seconds, of the block or the midnight before it
 * @throws BlockError when a block is older than that
 */
export function checkNotBefore(chain: string, notBefore: number, { number, timestamp }: Child): void {
  if (timestamp >= notBefore) return;
  throw new BlockError(
    { chain, block: number },
    `its timestamp ${timestamp} is before ${notBefore}, that of the block or midnight before it`,
  );
}
