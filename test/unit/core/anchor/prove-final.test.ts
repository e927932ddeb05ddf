import { ageProblem, finalitySourceOf } from '#core/anchor/prove-final.ts';
import { withBeacon } from '#core/chains/beacon-choice.ts';
import { chainOf } from '#core/chains/chains.ts';
import { ETHEREUM_BEACON, GNOSIS_BEACON } from '#core/chains/finality-rules.ts';
import { forkAt, slotAt } from '#core/finality/sync-committee/network.ts';
import { serveHosts } from '#test/support/nodes/hosts.ts';

/* The age at which a stored proof or a checkpoint of a beacon chain is refused. EIP-8061 shortens it with Gloas. */

const NOW = Date.parse('2026-11-28T00:00:00Z');
const DAY_MS = 86_400_000;
const epochAt = (ms: number) =>
  Math.floor(slotAt(ETHEREUM_BEACON, ms / 1_000) / ETHEREUM_BEACON.slotsPerEpoch);
const problemAt = (
  hours: number,
  gloasEpoch?: number,
  name: 'ETHEREUM' | 'GNOSIS' = 'ETHEREUM',
  now = NOW,
) => {
  using hosts = serveHosts([], { chain: withBeacon(chainOf(name), { gloasEpoch }) });
  const finality = finalitySourceOf(hosts);
  const network = name === 'GNOSIS' ? GNOSIS_BEACON : ETHEREUM_BEACON;
  const slot = slotAt(network, NOW / 1_000 - hours * 3_600);
  const block = { hash: '0x1', number: 1 };
  const state = finality?.resume({ kind: 'sync committee', slot, root: '0x1', block, committee: '0x1' });
  if (!finality || !state) throw new Error('The chain proves its finality');
  return ageProblem(finality, state, now);
};

describe('ageProblem', () => {
  test.each([
    ['before Gloas has an epoch', undefined, 14],
    ['until Gloas begins', epochAt(NOW + DAY_MS), 14],
    ['once Gloas is active', epochAt(NOW), 6],
  ])('refuses a checkpoint %s (epoch %s) that is older than %i days', (_, gloasEpoch, days) => {
    expect(problemAt((days - 0.5) * 24, gloasEpoch)).toBeUndefined();
    expect(problemAt((days + 1.5) * 24, gloasEpoch)).toBe(
      `The checkpoint is ${days + 1} days old, and only ${days} are safe. Configure a newer one`,
    );
  });
});

test('ageProblem refuses a checkpoint that is more than a quarter of an hour ahead of the clock', () => {
  const begin = (slotAt(ETHEREUM_BEACON, NOW / 1_000) * 12 + ETHEREUM_BEACON.genesisTime) * 1_000;
  expect(problemAt(0, undefined, 'ETHEREUM', begin - 900_000)).toBeUndefined();
  expect(problemAt(0, undefined, 'ETHEREUM', begin - 900_001)).toBe(
    'The checkpoint is of the future. Configure another one',
  );
});

describe('on Gnosis, whose validators can leave sooner, ageProblem', () => {
  test.each([
    ['before Gloas has an epoch', undefined, 10],
    ['once Gloas is active', 1_714_689, 5],
  ])('refuses a checkpoint %s (epoch %s) that is older than %i hours', (_, gloasEpoch, hours) => {
    expect(problemAt(hours - 0.5, gloasEpoch, 'GNOSIS')).toBeUndefined();
    expect(problemAt(hours + 1.5, gloasEpoch, 'GNOSIS')).toBe(
      `The checkpoint is ${hours + 1} hours old, and only ${hours} are safe. Configure a newer one`,
    );
  });
});

describe('withBeacon', () => {
  test('lets Gloas begin with the epoch that an operator sets, and leaves other chains as they are', () => {
    const { finality } = withBeacon(chainOf('ETHEREUM'), { gloasEpoch: 500_000 });
    const network = finality?.kind === 'sync committee' ? finality.network : undefined;
    const nameAt = (epoch: number) => network && forkAt(network, epoch * 32)?.name;
    expect([nameAt(499_999), nameAt(500_000)]).toEqual(['fulu', 'gloas']);
    expect(network?.forks.at(-1)?.version).toBe('0x07000000');
    const gnosis = withBeacon(chainOf('GNOSIS'), { gloasEpoch: 2_000_000 }).finality;
    const gloas = { name: 'gloas', epoch: 2_000_000, version: '0x07000064' };
    expect(gnosis?.kind === 'sync committee' && gnosis.network.forks.at(-1)).toEqual(gloas);
    expect(withBeacon(chainOf('BSC'), { gloasEpoch: 500_000 })).toEqual(chainOf('BSC'));
  });
});
