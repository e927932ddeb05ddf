import { type HeaderRules, isHashed } from '../anchor/read-header.ts';
import type { BlockHeader, BlockRef, SummedBlock } from '../figures/block.ts';
import { excessProblem } from '../proof/prices/eip4844.ts';
import type { Refused } from '../rpc/failover.ts';

/** The place that the next block must continue from. */
export interface ChainPosition {
  /** Absent before genesis. */
  readonly block?: BlockRef | undefined;
  /** Seconds: the timestamp of that block, or the midnight before the next. */
  readonly notBefore: number;
}

/** A place with the header of its block, where the rules of the next one depend on it and its hash covers it. */
export interface Parent extends ChainPosition {
  readonly header?: BlockHeader | undefined;
}

/** Returns a header if its hash covers it. */
export const hashed = (rules: HeaderRules, header: BlockHeader): BlockHeader | undefined =>
  isHashed(rules, header.number) ? header : undefined;

export function linkProblem(
  chain: string,
  parent: ChainPosition,
  blocks: readonly SummedBlock[],
): Refused | undefined {
  let { block: before, notBefore }: ChainPosition = parent;
  for (const block of blocks) {
    const { number, parentHash, timestamp } = block;
    if (before && parentHash !== before.hash) {
      return {
        refused: `${chain} block ${number}: its parent is ${parentHash}, but block ${before.number} was read as ${before.hash}`,
      };
    }
    if (timestamp < notBefore) {
      return {
        refused: `${chain} block ${number}: its timestamp ${timestamp} is before ${notBefore}, that of its parent or of midnight`,
      };
    }
    before = block;
    notBefore = timestamp;
  }
  return undefined;
}

export function endProblem(
  chain: string,
  blocks: readonly SummedBlock[],
  end: BlockRef,
): Refused | undefined {
  const last = blocks.at(-1);
  if (last?.number !== end.number || last.hash === end.hash) return undefined;
  return {
    refused: `${chain} block ${end.number}: its hash is ${last.hash}, not ${end.hash}, which is final`,
  };
}

/** Returns the rule that linked blocks do not keep among each other: the price of blobs follows from the block before. */
export function ruleProblem(
  source: HeaderRules,
  parent: Parent,
  blocks: readonly SummedBlock[],
): Refused | undefined {
  const { name, rules } = source.chain;
  let before = parent.header;
  for (const block of blocks) {
    const header = hashed(source, block);
    const problem = before && header && excessProblem(rules, before, header);
    if (problem) return { refused: `${name} block ${block.number}: ${problem}`, fault: 'unknown rule' };
    before = header;
  }
  return undefined;
}
