import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { developmentDefinition } from '#local/development-chain.ts';
import { createVotingChain } from '#local/finality/voting-chain.ts';
import { type RawBlock, sealBlock } from './seal.ts';

/** BSC with validators of which anyone has the keys, and epochs of 20 blocks. */
export const developmentBsc: Chain = developmentDefinition(chainOf('BSC'));

export const votingRules = (() => {
  const { finality } = developmentBsc;
  if (finality?.kind !== 'fast finality') throw new Error('BSC has fast finality');
  return finality.rules;
})();

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
