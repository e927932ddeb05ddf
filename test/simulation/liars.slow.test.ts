import { listFinalDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { lieKinds } from '#test/support/generators/lies/lies.ts';
import type { FaultKind } from '#test/support/nodes/faults.ts';
import { type Cast, castOf, type NodeSettings } from './cast/hosts.ts';
import { liarKinds, liars, whileOthersAreLimited } from './cast/liars.ts';
import { simulate } from './simulate.ts';
import { watch, watchWorld } from './watch.ts';
import { createWorld, type World } from './world.ts';

/* Liars without any other fault: about every block that can be proven, and about the chain. */

const families = ['ethereum', 'arbitrum', 'bsc', 'op-stack', 'polygon'] as const;
/** Takes the members of a list in turn. */
const drawn = <T>(list: readonly T[], turn: number) => list[turn % list.length] as T;

describe('about every block, in lies that body and receipts tell alike', () => {
  const isLie = (kind: FaultKind) => lieKinds.some((lie) => lie === kind);
  const liar = (name: string): NodeSettings => ({ name, rateOf: (kind) => (isLie(kind) ? 1 : 0) });
  const honest = (name: string): NodeSettings => ({ name, isHonest: true, rateOf: () => 0 });

  /** Runs the ingest while a chain grows. Returns the days that are final. */
  async function ingestFrom(
    family: (typeof families)[number],
    cast: Cast,
  ): Promise<{ readonly world: World; readonly final: readonly string[] }> {
    const world = await createWorld({ family, seed: 3, days: 3, rate: 0 }, () => cast);
    world.isRough = false;
    await watchWorld(world);
    const { chain } = world.chain;
    return { world, final: await listFinalDays(chainStore(world.store, chain), chain.firstDay) };
  }

  /** The days before Nitro: no block of them hashes to its hash. */
  function unprovableDays({ chain: { chain, expected } }: World): readonly string[] {
    const { rules } = chain;
    if (rules.family !== 'arbitrum') return [];
    return [...expected].filter(([, { last }]) => last.number < rules.nitroBlock).map(([day]) => day);
  }

  test.each(families)(
    'two delay no day of the %s family before two honest nodes, and the reports name them',
    async (family) => {
      const nodes = [liar('a'), liar('b'), honest('c'), honest('d')];
      const { world } = await ingestFrom(family, { company: 'beside two honest', nodes });
      const blamed = [...world.notProven].filter(([, count]) => count > 0).map(([host]) => host);
      expect(blamed.toSorted()).toEqual(['a.test', 'b.test']);
    },
  );

  test.each(families)(
    'two alone get nothing of the %s family published that can be proven',
    async (family) => {
      const { world, final } = await ingestFrom(family, { company: 'alone', nodes: [liar('a'), liar('b')] });
      expect(unprovableDays(world)).toEqual(expect.arrayContaining([...final]));
      expect(world.notProven.get('a.test')).toBeGreaterThan(0);
      expect(world.notProven.get('b.test')).toBeGreaterThan(0);
    },
  );
});

describe('about the chain', () => {
  // Each kind in one company and family. `npm run simulate` has them in all.
  const companies = ['beside two honest', 'beside one honest', 'alone'] as const;
  const scenes = liarKinds.map((kind, seed) => ({
    kind,
    seed,
    company: drawn(companies, seed),
    family: drawn(families, seed),
  }));

  test.each(scenes)(
    '$kind $company gets no wrong figure published and delays no day that it cannot stop ($family)',
    async ({ kind, seed, company, family }) => {
      const cast = castOf(family, seed, { company, kind });
      const { days, final } = await watch({ family, seed, days: 3, rate: 0 }, cast);
      if (company === 'beside two honest') expect(final).toBe(days);
    },
  );
});

describe('beside hosts that refuse calls above their rate', () => {
  const companies = ['limited honest', 'beside two honest', 'five endpoints beside three honest'] as const;
  const scenes = families.map((family, seed) => ({ family, seed, company: drawn(companies, seed) }));

  test.each(scenes)('$company: each day of the $family family is final in time', async (scene) => {
    const { family, seed, company } = scene;
    const cast = castOf(family, seed, { company, kind: drawn(liarKinds, 3 * seed), isLimited: true });
    const { days, final } = await watch({ family, seed, days: 2, rate: 0 }, cast);
    expect(final).toBe(days);
  });

  test('two that bear a call a second, and take ten seconds for it, are waited for', async () => {
    const slow = { isHonest: true, limit: { calls: 1, everyMs: 1_000 }, latencyMs: 10_000 };
    const nodes = [
      { name: 'a', ...slow },
      { name: 'b', ...slow },
    ];
    const scenario = { family: 'arbitrum', seed: 20_261_131, days: 10, rate: 0.15 } as const;
    await simulate(scenario, { company: 'limited honest', nodes });
  });

  test.each([
    // Their words about the final block and about prices take most of a run, before its first block.
    ['bsc', 47],
    ['op-stack', 35],
    ['ethereum', 51_599],
    ['bsc', 90_269],
  ] as const)(
    'five endpoints of one liar delay no day of slow hosts for an hour (%s, seed %i)',
    async (family, seed) => {
      const { days, final } = await watch({ family, seed, days: 10, rate: 0.15 });
      expect(final).toBe(days);
    },
  );

  test('no honest host is suspected of the end of a day that a liar gave too early', async () => {
    await simulate({ family: 'bsc', seed: 8_400_107, days: 10, rate: 0.15 });
  });

  test('a single one of a call a second, whose calls take ten seconds, delays no day for an hour', async () => {
    const { days, final } = await watch({ family: 'polygon', seed: 90_238, days: 10, rate: 0.15 });
    expect(final).toBe(days);
  });

  test('two of 60 calls a minute outvote a fast liar that waits for their refusals', async () => {
    const limit = { calls: 60, everyMs: 60_000 };
    const honest = (name: string): NodeSettings => ({ name, isHonest: true, limit });
    const liar = whileOthersAreLimited(liars['forged blocks']);
    const nodes = [{ name: 'liar', liar, latencyMs: 1 }, honest('a'), honest('b')];
    const scenario = { family: 'bsc', seed: 5, days: 8, rate: 0 } as const;
    const { days, final } = await watch(scenario, { company: 'beside two honest', nodes });
    expect(final).toBe(days);
  });
});
