import { chainStore } from '../../lambda/store/chain-store.ts';
import { listFinalDays } from '../../lambda/store/days.ts';
import type { FaultKind } from '../support/faults.ts';
import { lieKinds } from '../support/lies.ts';
import { randomFrom } from '../support/random.ts';
import type { RandomChain } from '../support/random-chain.ts';
import { forkOf } from './fork.ts';
import { runCalmly } from './simulate.ts';
import { createWorld, type NodeSettings, type World } from './world.ts';

/*
 * Endpoints that lie about every block that can be proven, beside honest ones, without any other fault. Every lie is consistent: body
 * and receipts of a block agree.
 */

const families = ['ethereum', 'arbitrum', 'bsc', 'op-stack', 'polygon'] as const;
const DAYS = 8;
const RUNS = 8;

const isLie = (kind: FaultKind) => lieKinds.some((lie) => lie === kind);
const liar = (name: string): NodeSettings => ({ name, rateOf: (kind) => (isLie(kind) ? 1 : 0) });
const honest = (name: string): NodeSettings => ({ name, isHonest: true, rateOf: () => 0 });

/** Runs the ingest until every day is final, or a few times. Returns the days that are final. */
async function ingestFrom(
  family: (typeof families)[number],
  toNodes: (chain: RandomChain) => readonly NodeSettings[],
): Promise<{ readonly world: World; readonly final: readonly string[] }> {
  const world = await createWorld({ family, seed: 3, days: DAYS, rate: 0 }, toNodes);
  await runCalmly(world, RUNS);
  const { name, firstDay } = world.chain.chain;
  return { world, final: await listFinalDays(chainStore(world.store.table, name), firstDay) };
}

/** The days before Nitro: no block of them hashes to its hash. */
function unprovableDays({ chain: { chain, expected } }: World): readonly string[] {
  const { rules } = chain;
  if (rules.family !== 'arbitrum') return [];
  return [...expected].filter(([, { last }]) => last.number < rules.nitroBlock).map(([day]) => day);
}

describe.each(families)('a chain of the %s family', (family) => {
  test('is exact with one honest endpoint behind two that lie about everything, and the report names both', async () => {
    const { world, final } = await ingestFrom(family, () => [liar('a'), liar('b'), honest('c')]);
    expect(final).toEqual([...world.chain.expected.keys()]);
    const blamed = [...world.notProven].filter(([, count]) => count > 0).map(([host]) => host);
    expect(blamed.toSorted()).toEqual(['a.test', 'b.test']);
  });

  test('publishes nothing that can be proven when every endpoint lies', async () => {
    const { world, final } = await ingestFrom(family, () => [liar('a'), liar('b')]);
    expect(unprovableDays(world)).toEqual(expect.arrayContaining([...final]));
    expect(world.notProven.get('a.test')).toBeGreaterThan(0);
    expect(world.notProven.get('b.test')).toBeGreaterThan(0);
  });

  test.each([
    ['first', (liar: NodeSettings) => [liar, honest('b')]],
    ['last', (liar: NodeSettings) => [honest('a'), liar]],
  ])('publishes no day of a forged chain whose endpoint comes %s', async (_, toNodes) => {
    const { world, final } = await ingestFrom(family, (chain) => {
      const from = Math.floor(chain.blocks.length / 2);
      const tells = forkOf(chain, randomFrom(3, 'fork'), from);
      return toNodes({ name: 'forger', tells, rateOf: () => 0 });
    });
    const from = Math.floor(world.chain.blocks.length / 2);
    const agreed = [...world.chain.expected].filter(([, { last }]) => last.number + 1 < from);
    expect(final).toEqual(agreed.map(([day]) => day));
    expect(world.notProven.get('forger.test') ?? 0).toBe(0);
  });
});
