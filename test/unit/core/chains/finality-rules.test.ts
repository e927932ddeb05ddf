import {
  type BeaconNetwork,
  BSC_FINALITY,
  ETHEREUM_BEACON,
  GNOSIS_BEACON,
  withGloas,
} from '#core/chains/finality-rules.ts';
import { BSC_BLOBS, ETHEREUM_BLOBS, GNOSIS_BLOBS } from '#core/chains/fork-times.ts';

/* Proves the epochs of beacon chains against times of execution blocks, which come from other sources. */

const timeOf = ({ genesisTime, secondsPerSlot, slotsPerEpoch, forks }: BeaconNetwork, fork: string) =>
  genesisTime + (forks.find(({ name }) => name === fork)?.epoch ?? 0) * slotsPerEpoch * secondsPerSlot;

test.each([
  ['Ethereum', 'deneb', ETHEREUM_BEACON, ETHEREUM_BLOBS[0]?.from],
  ['Ethereum', 'electra', ETHEREUM_BEACON, ETHEREUM_BLOBS[1]?.from],
  ['Ethereum', 'fulu', ETHEREUM_BEACON, ETHEREUM_BLOBS[2]?.from],
  ['Gnosis', 'deneb', GNOSIS_BEACON, GNOSIS_BLOBS[0]?.from],
  ['Gnosis', 'fulu', GNOSIS_BEACON, GNOSIS_BLOBS[1]?.from],
])('on %s, %s begins when the execution layer changes the rules of blobs', (_, fork, network, from) => {
  expect(timeOf(network, fork)).toBe(from);
});

test.each([ETHEREUM_BEACON, GNOSIS_BEACON])(
  'forks follow each other by epoch and by version',
  ({ forks }) => {
    const byEpoch = forks.toSorted((a, b) => a.epoch - b.epoch);
    expect(forks).toEqual(byEpoch);
    expect(forks.map(({ version }) => version)).toEqual(byEpoch.map(({ version }) => version).toSorted());
  },
);

test('BSC makes epochs longer, after blobs and before Mendel', () => {
  const [{ length: first } = { length: 0 }, ...later] = BSC_FINALITY.epochs;
  expect([first, ...later.map(({ length }) => length)]).toEqual([200, 500, 1_000]);
  for (const { time } of later) {
    expect(time).toBeGreaterThan(BSC_BLOBS[0]?.from ?? 0);
    expect(time).toBeLessThan(BSC_BLOBS[1]?.from ?? 0);
  }
});

describe('withGloas', () => {
  const later = withGloas(ETHEREUM_BEACON, 500_000, '0x07000000');

  test('adds the fork as the last one', () => {
    expect(later.forks).toEqual([
      ...ETHEREUM_BEACON.forks,
      { name: 'gloas', epoch: 500_000, version: '0x07000000' },
    ]);
  });

  test('replaces another epoch of it', () => {
    const again = withGloas(later, 500_001, '0x07000001');
    expect(again.forks.filter(({ name }) => name === 'gloas')).toEqual([
      { name: 'gloas', epoch: 500_001, version: '0x07000001' },
    ]);
    expect(again.forks).toHaveLength(later.forks.length);
  });
});
