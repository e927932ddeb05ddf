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

/** A place with the header of its block, where the rules of the next one may depend on it. */
export interface Parent extends ChainPosition {
  readonly header?: BlockHeader | undefined;
}

/** Returns why blocks do not continue from a place, or are of another chain than `end`. */
export function linkProblem(
  chain: string,
  place: ChainPosition,
  blocks: readonly SummedBlock[],
  end?: BlockRef,
): Refused | undefined {
  let [parent, earliest] = [place.block, place.notBefore];
  for (const block of blocks) {
    const { number, hash, parentHash, timestamp } = block;
    const refuse = (problem: string): Refused => ({ refused: `${chain} block ${number}: ${problem}` });
    if (parent && parentHash !== parent.hash)
      return refuse(`its parent is ${parentHash}, but block ${parent.number} was read as ${parent.hash}`);
    if (timestamp < earliest)
      return refuse(`its timestamp ${timestamp} is before ${earliest}, that of its parent or of midnight`);
    if (number === end?.number && hash !== end.hash)
      return refuse(`its hash is ${hash}, not ${end.hash}, which is final`);
    [parent, earliest] = [block, timestamp];
  }
  return undefined;
}

/** Returns the rule that linked blocks do not keep among each other: the price of blobs follows from the block before. */
export function ruleProblem(
  network: HeaderRules,
  parent: Parent,
  blocks: readonly SummedBlock[],
): (Refused & { fault: 'unknown rule' }) | undefined {
  const { name, rules } = network.chain;
  let before = parent.header;
  for (const block of blocks) {
    const areHashed = before && isHashed(network, before.number) && isHashed(network, block.number);
    const problem = before && areHashed && excessProblem(rules, before, block);
    if (problem) return { refused: `${name} block ${block.number}: ${problem}`, fault: 'unknown rule' };
    before = block;
  }
  return undefined;
}
