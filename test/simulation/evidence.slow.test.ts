import type * as bls from '#core/finality/bls.ts';
import { getFinality } from '#core/store/chain/finality-state.ts';
import { listFinalDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import type { NodeSettings } from './cast/hosts.ts';
import { type Liar, liarKinds, liars } from './cast/liars.ts';
import { prepared } from './evidence.ts';
import { watchWorld } from './watch.ts';
import { createWorld } from './world.ts';

// Each run verifies the same signatures again, which takes half of its time. The functions are pure, so each result is remembered.
jest.mock('#core/finality/bls.ts', () => {
  const actual: typeof bls = jest.requireActual('#core/finality/bls.ts');
  const keys = new Map<string, ReturnType<typeof actual.decodeKey>>();
  const verified = new Map<string, boolean>();
  return {
    ...actual,
    decodeKey: (bytes: Uint8Array) => remembered(keys, hexOf(bytes), () => actual.decodeKey(bytes)),
    isSignedBy: (...[key, message, signature]: Parameters<typeof actual.isSignedBy>) =>
      remembered(verified, [key.toHex(), hexOf(message), hexOf(signature)].join(), () =>
        actual.isSignedBy(key, message, signature),
      ),
  };
});
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
function remembered<T>(known: Map<string, T>, key: string, compute: () => T): T {
  const value = known.has(key) ? (known.get(key) as T) : compute();
  known.set(key, value);
  return value;
}

/* Endpoints and light-client servers that lie together, where the runs require the chain's own proof of finality. */

/** One day between two others is the least that a lie can be about. */
const DAYS = 2;
/** Shared by all chains and servers, so that they sign and verify the same once. */
const SEED = 3;
const kinds = liarKinds.filter((kind) => kind !== 'gas constraints');

async function run(
  family: 'ethereum' | 'bsc',
  nodes: readonly NodeSettings[],
  isHonest: boolean,
  days = DAYS,
) {
  const scenario = { family, seed: SEED, days, rate: 0 };
  const cast = { company: 'alone' as const, nodes };
  const world = await createWorld(scenario, () => cast, prepared(SEED, isHonest));
  world.isRough = false;
  // The oracle compares each day that becomes visible.
  await watchWorld(world);
  const store = chainStore(world.store, world.chain.chain);
  return { final: await listFinalDays(store, '0000-01-01'), ...(await getFinality(store)), world };
}

const honest = (name: string): NodeSettings => ({ name, isHonest: true, rateOf: () => 0 });
const lying = (names: readonly string[], liar: Liar): readonly NodeSettings[] =>
  names.map((name) => ({ name: `${name}.liar`, liar, rateOf: () => 0 }));

describe.each(['ethereum', 'bsc'] as const)('on %s', (family) => {
  let published = 0;
  // Some lies leave days that are true and proven.
  afterAll(() => expect(published).toBeGreaterThan(0));

  // Each kind once. On Ethereum the servers lie in the same way beside each of them, and a run takes three times as long.
  test.each(kinds.filter((_, index) => index % 4 > 0 === (family === 'bsc')))(
    '%s by all endpoints and servers gets no forged day published',
    async (kind) => {
      const { final } = await run(family, lying(['a', 'b', 'c'], liars[kind]), false);
      published += final.length;
    },
  );

  test('one honest endpoint outweighs two that lie alike, and every day before the proven block is final', async () => {
    const nodes = [...lying(['a'], liars['a fork']), ...lying(['b'], liars['a fork']), honest('c')];
    const { final, state, world } = await run(family, nodes, true, 3);
    const proven = state?.block.number ?? 0;
    const due = [...world.chain.expected].filter(([, { last }]) => last.number < proven);
    expect(final).toEqual(due.map(([day]) => day));
    expect(final.length).toBeGreaterThan(1);
  });
});
