import type { RpcHeader } from '#core/proof/json/rpc-types.ts';
import { createBeaconChain } from '#test/support/finality/beacon-chain.ts';
import { lightClientAnswer } from '#test/support/finality/light-client-answer.ts';
import { simulatedBsc, simulatedEthereum } from '#test/support/finality/simulated-chains.ts';
import { finalIn, withVotes } from '#test/support/finality/voted-blocks.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import type { RandomChain } from '#test/support/generators/random/random-chain.ts';
import { forkOf, timestampOf } from './cast/stories.ts';
import type { Evidence, Prepared } from './world.ts';

/* Chains that prove which of their blocks are final, and servers that tell lies about that. */

const FINALITY_MS = 15 * 60_000;

/** Gives a random chain of Ethereum or BSC rules of finality, and BSC's blocks votes. */
async function withEvidence(world: RandomChain): Promise<RandomChain> {
  const { finality } = world.chain.name === 'BSC' ? simulatedBsc : simulatedEthereum;
  if (!finality) throw new Error('The chain has no evidence of finality');
  const chain = { ...world.chain, finality };
  if (finality.kind === 'sync committee') return { ...world, chain };
  const blocks = await withVotes(chain, world.blocks);
  const refOf = (number: number) => ({ number, hash: String(blocks[number]?.header.hash) });
  const expected = new Map(
    [...world.expected].map(([day, { first, last, ...figures }]) => {
      const before = first ? first.number - 1 : last.number;
      const parentHash = before < 0 ? figures.parentHash : refOf(before).hash;
      const ends = { ...(first && { first: refOf(first.number) }), last: refOf(last.number) };
      return [day, { ...figures, parentHash, ...ends }] as const;
    }),
  );
  return { ...world, chain, blocks, siblings: blocks.map(() => undefined), expected };
}

/** @param ms since 1970 */
const finalAt = ({ blocks }: RandomChain, ms: number): number =>
  Math.max(
    0,
    blocks.findLastIndex((block) => timestampOf(block) * 1_000 <= ms - FINALITY_MS),
  );

function beaconOf(world: RandomChain, now: () => number, name?: string) {
  const { finality } = world.chain;
  if (finality?.kind !== 'sync committee') throw new Error('The chain has no sync committee');
  const read = async (at: number | 'finalized') => {
    const number = at === 'finalized' ? finalAt(world, now()) : at;
    return world.blocks[number]?.header as unknown as RpcHeader;
  };
  return createBeaconChain(finality.network, read, name);
}

/**
 * Returns a chain with evidence.
 * @param isHonest whether its light-client servers tell the truth
 */
export const prepared =
  (seed: number, isHonest: boolean) =>
  async (random: RandomChain): Promise<Prepared> => {
    const chain = await withEvidence(random);
    const evidenceAt = async (now: () => number): Promise<Evidence> => {
      if (chain.chain.finality?.kind === 'fast finality') {
        const settled = Math.max(0, finalIn(finalAt(chain, now())) - 3);
        const epochBlock = chain.blocks[Math.floor(settled / 20) * 20];
        const checkpoint = String(epochBlock?.header.hash);
        return { hosts: [], answer: async () => ({ hangUp: true }), checkpoint };
      }
      const truth = beaconOf(chain, now);
      const forged = forkOf(chain, randomFrom(seed, 'fork'), 1);
      const [lie, mix] = [beaconOf(forged, now, 'liar'), beaconOf(forged, now)];
      const checkpoint = await truth.checkpoint();
      const luck = randomFrom(seed, 'servers');
      const stories = [lie, mix, truth];
      const answer = async (_: string, path: string) => {
        const story = isHonest ? truth : path.includes('bootstrap') ? truth : luck.pick(stories);
        if (!isHonest && luck.chance(0.1)) return { status: 200, body: 'no JSON' };
        const told = await lightClientAnswer(story === mix ? truth : story, path);
        const body = JSON.stringify(story === mix ? mixed(told, await lightClientAnswer(mix, path)) : told);
        return { status: told === undefined ? 404 : 200, body };
      };
      return { hosts: ['beacon-a.test', 'beacon-b.test'], answer, checkpoint };
    };
    return { chain, evidenceAt };
  };

/** Returns the signatures of a true update over the headers of a forged one. */
function mixed(truth: unknown, lie: unknown): unknown {
  if (!isUpdate(truth) || !isUpdate(lie)) return lie;
  const { sync_aggregate, signature_slot } = truth.data;
  return { data: { ...lie.data, sync_aggregate, signature_slot } };
}

const isUpdate = (value: unknown): value is { readonly data: Readonly<Record<string, unknown>> } =>
  typeof value === 'object' && value !== null && 'data' in value;
