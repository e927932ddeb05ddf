import { lies } from '../support/lies.ts';
import type { Random } from '../support/random.ts';
import type { RandomBlock } from '../support/random-block.ts';
import type { RandomChain } from '../support/random-chain.ts';
import { sealBlock } from '../support/seal.ts';

/**
 * Returns a chain whose blocks from `from` on use more gas than those of another chain. Each block is valid and names its
 * parent: only the last hash shows the lie.
 */
export function forkOf(world: RandomChain, random: Random, from: number): RandomChain {
  const blocks: RandomBlock[] = [...world.blocks.slice(0, from)];
  for (const block of world.blocks.slice(from)) {
    const told = lies['gas-used-raised'](block, { world, random, name: 'fork' }) ?? block;
    const parentHash = blocks.at(-1)?.header.hash ?? block.header.parentHash;
    const stateRoot = world.blocks[0]?.header.hash;
    blocks.push({
      ...told,
      ...sealBlock(world.chain, { ...told, header: { ...told.header, parentHash, stateRoot } }),
    });
  }
  return { ...world, blocks };
}
