import {
  type BeaconNetwork,
  BSC_FINALITY,
  ETHEREUM_AGES,
  ETHEREUM_BEACON,
  GNOSIS_AGES,
  GNOSIS_BEACON,
  withGloas,
} from '#core/chains/finality-rules.ts';
import { ETHEREUM_BLOBS, GNOSIS_BLOBS } from '#core/chains/fork-times.ts';

/* Proves the epochs of beacon chains against times of execution blocks, which come from other sources. */

const seconds = (time: string): number => Date.parse(time) / 1_000;

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

test.each([
  // https://blog.ethereum.org/2023/03/28/shapella-mainnet-announcement
  ['Ethereum', 'capella', ETHEREUM_BEACON, '2023-04-12T22:27:35Z'],
  // https://github.com/gnosischain/specs network-upgrades/shapella.md and pectra.md
  ['Gnosis', 'capella', GNOSIS_BEACON, '2023-08-01T11:34:20Z'],
  ['Gnosis', 'electra', GNOSIS_BEACON, '2025-04-30T14:03:40Z'],
])('on %s, %s began at the announced time', (_, fork, network, time) => {
  expect(timeOf(network, fork)).toBe(seconds(time));
});

test.each([
  ['Ethereum', '27:18:24', ETHEREUM_BEACON],
  ['Gnosis', '11:22:40', GNOSIS_BEACON],
])('on %s, a sync committee of 512 validators serves for %s hours', (_, hours, network) => {
  const { epochsPerPeriod, slotsPerEpoch, secondsPerSlot, committeeSize } = network;
  const [h = 0, m = 0, s = 0] = hours.split(':').map(Number);
  expect(epochsPerPeriod * slotsPerEpoch * secondsPerSlot).toBe(h * 3_600 + m * 60 + s);
  expect(committeeSize).toBe(2 ** 9);
});

test.each([
  ['Ethereum, within the 15.7 days of weak subjectivity', ETHEREUM_AGES.maxAgeHours, 14 * 24],
  ['Ethereum since Gloas, within about 7 days', ETHEREUM_AGES.gloas.maxAgeHours, 6 * 24],
  ['Gnosis, within 460 epochs of 80 s', GNOSIS_AGES.maxAgeHours, Math.floor((460 * 80) / 3_600)],
  ['Gnosis since Gloas, within 256 epochs', GNOSIS_AGES.gloas.maxAgeHours, Math.floor((256 * 80) / 3_600)],
])('on %s, a proof is too old after %i hours', (_, hours, expected) => {
  expect(hours).toBe(expected);
});

test.each([ETHEREUM_BEACON, GNOSIS_BEACON])(
  'forks follow each other by epoch and by version',
  ({ forks }) => {
    const byEpoch = forks.toSorted((a, b) => a.epoch - b.epoch);
    expect(forks).toEqual(byEpoch);
    expect(forks.map(({ version }) => version)).toEqual(byEpoch.map(({ version }) => version).toSorted());
  },
);

test('an epoch of BSC has 200 blocks, 500 since Lorentz, 1,000 since Maxwell; it states the turn length since Bohr', () => {
  // Times as announced: https://github.com/bnb-chain/BEPs BEP-341, BEP-520 and BEP-524
  expect(BSC_FINALITY).toEqual({
    bohrTime: seconds('2024-09-26T02:20:00Z'),
    epochs: [
      { time: 0, length: 200 },
      { time: seconds('2025-04-29T05:05:00Z'), length: 500 },
      { time: seconds('2025-06-30T02:30:00Z'), length: 1_000 },
    ],
    certainAfter: 200,
  });
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
