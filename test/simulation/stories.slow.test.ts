import { readBlockFrom } from '#core/blocks/nodes/read-block.ts';
import type { Rpc } from '#core/rpc/json-rpc.ts';
import { randomFrom } from '#test/support/generators/random.ts';
import { type Family, type RandomChain, randomChain } from '#test/support/generators/random-chain.ts';
import { misbehavingNode } from '#test/support/nodes/misbehaving-node.ts';
import {
  forkOf,
  timestampOf,
  withEarlyBlock,
  withExtraBlocks,
  withHead,
  withLateBlock,
  withoutLastBlocks,
} from './stories.ts';

/* The lies must be good: a block that the ingest refuses on its own would test nothing. */

const families: readonly Family[] = ['ethereum', 'arbitrum', 'bsc', 'op-stack', 'polygon'];

const stories: Record<string, (world: RandomChain, seed: number) => RandomChain> = {
  'a fork': (world, seed) => forkOf(world, randomFrom(seed), 1 + (seed % (world.blocks.length - 1))),
  'extra blocks': (world, seed) => withExtraBlocks(world, randomFrom(seed), 3),
  'missing blocks': (world, seed) => withoutLastBlocks(world, randomFrom(seed), 2),
  'an early block': (world, seed) => withEarlyBlock(world, randomFrom(seed)),
  'a late block': (world, seed) => withLateBlock(world, randomFrom(seed)),
  'another head': (world, seed) => withHead(world, 1 + (seed % (world.blocks.length - 1)), 4_000_000_000),
};

/** Returns an Rpc to a node that tells a story. */
function rpcTo(world: RandomChain): Rpc {
  const final = world.blocks.length - 1;
  const { answer } = misbehavingNode({
    world,
    seed: 1,
    name: 'a',
    rateOf: () => 0,
    finalizedAt: () => final,
  });
  return async (method, params, decode) => {
    const response = answer({ id: 1, method, params });
    return decode('result' in response ? structuredClone(response.result) : undefined);
  };
}

describe.each(families)('of the %s family', (family) => {
  test.each(Object.entries(stories))(
    'a chain with %s has valid blocks that continue each other, of other hashes',
    async (_, tell) => {
      for (let seed = 1; seed <= 2; seed++) {
        const world = await randomChain(family, randomFrom(seed, 'chain'), {
          firstDay: '2026-01-01',
          days: 5,
        });
        const story = tell(world, seed);
        const { blocks } = story;
        const rpc = rpcTo(story);
        const from = blocks.findIndex(
          ({ header }, number) => header.hash !== world.blocks[number]?.header.hash,
        );
        expect(from).toBeGreaterThan(0);
        for (let number = from; number < blocks.length; number++) {
          const [before, block] = blocks.slice(number - 1);
          if (!before || !block) throw new Error('too few blocks');
          expect(block.header.hash).not.toBe(world.blocks[number]?.header.hash);
          expect(block.header.parentHash).toBe(before.header.hash);
          expect(timestampOf(block)).toBeGreaterThanOrEqual(timestampOf(before));
          const read = await readBlockFrom({ chain: world.chain, evidence: 'proven' }, number, rpc, 'a.test');
          expect(read).toMatchObject({ value: { hash: block.header.hash } });
        }
      }
    },
  );
});
