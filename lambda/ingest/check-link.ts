import type { BlockRef } from '../chains/block.ts';
import { BlockError } from '../chains/block-error.ts';

interface Child extends BlockRef {
  readonly parentHash: string;
  readonly timestamp: number;
}

/** The block that the next one must follow. */
export interface Parent {
  /** Absent before genesis. */
  readonly block?: BlockRef | undefined;
  /** Lowest valid timestamp, in seconds: that of the block, or the midnight before the next. */
  readonly notBefore: number;
}

/**
 * Validates that each block is the child of the one before, and not older.
 * @throws BlockError about the first that is not
 */
export function checkLinks(chain: string, parent: Parent, blocks: readonly Child[]): void {
  let { block: before, notBefore } = parent;
  for (const block of blocks) {
    if (before) checkFollows(chain, before, block);
    checkNotBefore(chain, notBefore, block);
    before = block;
    notBefore = block.timestamp;
  }
}

/** @throws BlockError when a block is not the child of `before` */
export function checkFollows(chain: string, before: BlockRef, { number, parentHash }: Child): void {
  if (parentHash === before.hash) return;
  throw new BlockError(
    { chain, block: number },
    `its parent is ${parentHash}, but block ${before.number} is ${before.hash}`,
  );
}

function checkNotBefore(chain: string, notBefore: number, { number, timestamp }: Child): void {
  if (timestamp >= notBefore) return;
  throw new BlockError(
    { chain, block: number },
    `its timestamp ${timestamp} is before ${notBefore}, the timestamp of its parent or the start of the day`,
  );
}
