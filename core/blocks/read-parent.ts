import { type HeaderRules, isHashed } from '../anchor/read-header.ts';
import type { BlockHeader } from '../figures/block.ts';
import { blobRulesAt } from '../proof/prices/eip4844.ts';
import { type Fetched, fetched } from '../rpc/failover.ts';
import type { BlockSource } from './block-source.ts';
import type { ChainPosition } from './link-problems.ts';

/** Reads the header of the last block before a stream, which the price of blobs in the first one follows from. */
export async function readParent(
  rules: HeaderRules,
  { block, notBefore }: ChainPosition,
  readKnown: BlockSource['readKnown'],
): Promise<Fetched<BlockHeader | undefined>> {
  const hasBlobs = blobRulesAt(rules.chain.rules, notBefore) !== undefined;
  return block && hasBlobs && isHashed(rules, block.number) ? readKnown(block) : fetched(undefined);
}
