import { firstGloasEpoch, withBeacon } from '#core/chains/beacon-choice.ts';
import { chainOf } from '#core/chains/chains.ts';
import { simulatedNetwork } from '#test/support/finality/simulated-chains.ts';

const ethereum = chainOf('ETHEREUM');
const networkOf = ({ finality }: typeof ethereum) =>
  finality?.kind === 'sync committee' ? finality.network : undefined;

test.each([
  // Fulu began with epoch 411,392 on Ethereum, and 1,714,688 on Gnosis.
  ['ETHEREUM', 411_393],
  ['GNOSIS', 1_714_689],
] as const)('Gloas may begin on %s with epoch %i, the one after the last fork', (name, epoch) => {
  expect(firstGloasEpoch(chainOf(name))).toBe(epoch);
});

test('a chain gets the network that an operator chose, and the epoch of Gloas', () => {
  expect(networkOf(withBeacon(ethereum))).toBe(networkOf(ethereum));
  expect(networkOf(withBeacon(ethereum, { network: simulatedNetwork }))).toBe(simulatedNetwork);
  expect(networkOf(withBeacon(ethereum, { gloasEpoch: 500_000 }))?.forks.slice(-2)).toEqual([
    { name: 'fulu', epoch: 411_392, version: '0x06000000' },
    { name: 'gloas', epoch: 500_000, version: '0x07000000' },
  ]);
});

test('a chain without a beacon chain stays as it is', () => {
  const bsc = chainOf('BSC');
  expect(withBeacon(bsc, { network: simulatedNetwork, gloasEpoch: 500_000 })).toBe(bsc);
});
