import type { BlockRef } from '../../chains/block.ts';

interface Child extends BlockRef {
  readonly parentHash: string;
  readonly timestamp: number;
}

/** The place that the next block must continue from. */
export interface Parent {
  /** Absent before genesis. */
  readonly block?: BlockRef | undefined;
  /** Seconds: the timestamp of that block, or the midnight before the next. */
  readonly notBefore: number;
}

/** Returns why blocks do not continue each other from `parent`, or undefined when they do. */
export function linkProblem(chain: string, parent: Parent, blocks: readonly Child[]): string | undefined {
  let { block: before, notBefore } = parent;
  for (const block of blocks) {
    const problem = parentProblem(chain, before, block) ?? timeProblem(chain, notBefore, block);
    if (problem) return problem;
    before = block;
    notBefore = block.timestamp;
  }
  return undefined;
}

export const parentProblem = (
  chain: string,
  before: BlockRef | undefined,
  { number, parentHash }: Child,
): string | undefined =>
  before === undefined || parentHash === before.hash
    ? undefined
    : `${chain} block ${number}: its parent is ${parentHash}, but block ${before.number} was read as ${before.hash}`;

const timeProblem = (chain: string, notBefore: number, { number, timestamp }: Child): string | undefined =>
  timestamp >= notBefore
    ? undefined
    : `${chain} block ${number}: its timestamp ${timestamp} is before ${notBefore}, that of its parent or of midnight`;
