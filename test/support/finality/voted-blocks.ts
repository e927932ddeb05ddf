import { chainOf } from '#core/chains/chains.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { type RawBlock, sealBlock } from '#test/support/generators/seal.ts';
import { votingRules } from './simulated-chains.ts';
import { createVotingChain } from './voting-chain.ts';

/**
 * Gives blocks validators and votes, and so other hashes.
 * @param name of the validators
 */
export async function withVotes(blocks: readonly RawBlock[], name?: string): Promise<readonly RawBlock[]> {
  const headerOf = async (number: number) => blocks[number]?.header as unknown as RpcHeader;
  const voting = createVotingChain(votingRules, headerOf, name);
  const voted: RawBlock[] = [];
  for (const [number, block] of blocks.entries()) {
    const { parentHash, extraData } = await voting.headerAt(number);
    voted.push(
      sealBlock(chainOf('ETHEREUM'), { ...block, header: { ...block.header, parentHash, extraData } }),
    );
  }
  return voted;
}
